import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

/** Loaded into the service before it starts: SIGUSR2 begins a profile of the main thread, another one ends and writes it. */
if (isMainThread) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  process.on('SIGUSR2', () => {
    session.post('Profiler.stop', (error, stopped) => {
      if (error)
        session.post('Profiler.start'); // there was none to stop
      else writeFileSync(process.env['PROFILE'] ?? '', JSON.stringify(stopped.profile));
    });
  });
}
