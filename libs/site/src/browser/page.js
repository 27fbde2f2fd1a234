/* For one traveller's pages: time left counts down, passwords can be seen, a page prints itself, and what is live on it is asked for again when it has changed. */
const MINUTE = 60;

const timeLeft = (seconds) => {
  const minutes = Math.floor(seconds / MINUTE);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % MINUTE} s`;
};

// Counted from when the page came, since the clock of this machine may be another than the service's.
const countDown = (part, since) => {
  for (const element of part.querySelectorAll('[data-seconds-left]')) {
    const whole = Number(element.dataset.secondsLeft);
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil(whole - (performance.now() - since) / 1_000));
      element.textContent = left === 0 ? element.dataset.over : `${element.dataset.before}${timeLeft(left)}`;
      if (left === 0 || !element.isConnected) clearInterval(timer);
    }, 1_000);
  }
};
countDown(document, 0);

/** What an element is known by on the next page, too. */
const nameOf = (element) =>
  `${element.tagName} ${element.getAttribute('href') ?? element.form?.action ?? ''} ${element.value ?? ''} ${element.textContent.trim()}`;

// Who reads on by keyboard goes on where they were, and what is unfolded stays so.
const keeper = (part) => {
  const all = (selector) => [...part.querySelectorAll(selector)];
  const open = new Set(all('details[open] > summary').map(nameOf));
  const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  return () => {
    for (const summary of all('summary')) if (open.has(nameOf(summary))) summary.parentElement.open = true;
    const same = all('a, button, input, summary').find((element) => nameOf(element) === focused);
    same?.focus({ preventScroll: true });
  };
};

// Nobody is disturbed where nothing is new: what is being read or typed stays.
const lookAgain = async () => {
  const answer = await fetch(location.pathname + location.search);
  if (!answer.ok) return;
  const since = performance.now();
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    if (!next || next.dataset.live === part.dataset.live) continue;
    part.dataset.live = next.dataset.live;
    const keep = keeper(part);
    part.replaceChildren(...next.childNodes);
    keep();
    countDown(part, since);
  }
};

// One question at a time, and one more for what it is told meanwhile.
let [isLooking, isDue] = [false, false];
const look = async () => {
  isDue = true;
  if (isLooking) return;
  isLooking = true;
  while (isDue) {
    isDue = false;
    await lookAgain().catch(() => null);
  }
  isLooking = false;
};

/** How long (ms) until a page asks again for a line that it was refused. */
const REFUSED = 60_000;

// A page that nobody sees has no line: a browser has few for a site. With a new one comes what happened without it.
let line = null;
const listen = () => {
  line?.close();
  if (document.hidden) return;
  line = new EventSource('/conta/ao-vivo');
  line.onopen = look;
  line.onmessage = look;
  line.onerror = ({ target }) => target.readyState === EventSource.CLOSED && setTimeout(listen, REFUSED);
};
if (document.querySelector('[data-live]')) {
  document.addEventListener('visibilitychange', listen);
  listen();
}

for (const button of document.querySelectorAll('button[data-shows]')) {
  const field = document.getElementById(button.dataset.shows);
  const toggle = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    button.firstChild.data = isShown ? 'Ocultar' : 'Mostrar';
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    toggle(field.type === 'password');
  });
  // What is sent is a password again, so that no browser offers it as a text entered before.
  field.form.addEventListener('submit', () => {
    toggle(false);
  });
}

for (const button of document.querySelectorAll('button[data-prints]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    window.print();
  });
}
for (const instead of document.querySelectorAll('[data-without-script]')) instead.hidden = true;
