/** Plays the events of a mandate, all written into the page; without it each step is a link. */
const root = document.getElementById('repetir');
const player = document.getElementById('tocador');
const slider = document.getElementById('passo');
const button = document.getElementById('tocar');
const panel = document.getElementById('painel');
const chart = document.getElementById('grafico');
const mark = document.getElementById('marca');
const count = Number(root.dataset.count);
const templates = new Map(
  [...root.querySelectorAll('template')].map((template) => [Number(template.dataset.evento), template]),
);
const [first, last] = [Number(slider.min), Number(slider.max)];

const addressOf = (number) => `?evento=${number}`;

// The links above the event: where each leads from here.
const ways = {
  primeiro: () => 1,
  anterior: (now) => Math.max(1, now - 1),
  proximo: (now) => Math.min(count, now + 1),
  ultimo: () => count,
};

/** Shows an event; false: it is on another page. */
const show = (number) => {
  const template = templates.get(number);
  if (!template) return false;
  panel.replaceChildren(template.content.cloneNode(true));
  mark.setAttribute('x', template.dataset.x);
  slider.value = String(number);
  slider.setAttribute('aria-valuetext', template.dataset.nome);
  document.querySelector('tr[aria-current]')?.removeAttribute('aria-current');
  document.getElementById(`evento-${number}`)?.setAttribute('aria-current', 'step');
  for (const [id, next] of Object.entries(ways)) {
    const link = document.getElementById(id);
    link.href = addressOf(next(number));
    if (next(number) === number) link.setAttribute('aria-disabled', 'true');
    else link.removeAttribute('aria-disabled');
  }
  history.replaceState(null, '', addressOf(number));
  return true;
};

let playing = null;
const stop = () => {
  clearInterval(playing);
  playing = null;
  button.textContent = 'Reproduzir';
};
const step = () => {
  const next = Number(slider.value) + 1;
  if (next > last || !show(next) || next === last) stop();
};

player.hidden = false;
slider.addEventListener('input', () => {
  stop();
  show(Number(slider.value));
});
button.addEventListener('click', () => {
  if (playing !== null) return stop();
  if (Number(slider.value) === last) show(first);
  button.textContent = 'Parar';
  playing = setInterval(step, 900);
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href*="?evento="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  stop();
  if (show(Number(new URL(link.href).searchParams.get('evento')))) event.preventDefault();
});
chart.addEventListener('click', ({ clientX }) => {
  const { left, width } = chart.getBoundingClientRect();
  stop();
  show(first + Math.min(last - first, Math.floor(((clientX - left) / width) * (last - first + 1))));
});

// Arrow keys, but where they mean something else: in a field, and in what scrolls.
const moves = { ArrowLeft: (now) => now - 1, ArrowRight: (now) => now + 1 };
document.addEventListener('keydown', (event) => {
  const move = moves[event.key];
  if (!move || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, .scroll')) return;
  stop();
  if (show(move(Number(slider.value)))) event.preventDefault();
});
