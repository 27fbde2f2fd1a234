import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** What introduces a rule, an endpoint or a section, by the document that has it. */
const NUMBERED = { 'docs/consistency.md': /^(\d+)\. \*\*/gm, 'docs/interface.md': /^### Endpoint (\d+):/gm };
const HEADING = /^#{1,6} (.+)$/gm;

/** `4 and 10`, `12 to 16`, `9, 16`: the numbers that are meant. */
const numbersIn = (text) =>
  [...text.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, place) => Number(from) + place),
  );

const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** What is cited and is not there, in `text` of the file at `path`. `documents`: every Markdown file by its path. */
export const brokenCitations = (path, text, documents) => {
  const isMarkdown = path.endsWith('.md');
  const flat = isMarkdown ? text : text.replace(/\s*\n\s*(?:\*|\/\/|#)?\s*/g, ' ');
  const broken = [];
  const numbersOf = (document) =>
    [...(documents[document] ?? '').matchAll(NUMBERED[document])].map(([, number]) => Number(number));
  const missing = (document, numbers) => numbersIn(numbers).filter((number) => !numbersOf(document).includes(number));

  for (const [cited, name, anchor] of flat.matchAll(
    /(?<![\w/:.-])((?:\.{1,2}\/)*[\w/-][\w./-]*\.md)\b(?:#([\w-]+))?/g,
  )) {
    const target = [join(dirname(path), name), name].find((one) => one in documents && (isMarkdown || one === name));
    const headings = [...(documents[target] ?? '').matchAll(HEADING)].map(([, heading]) => slugOf(heading));
    if (target === undefined || (anchor !== undefined && !headings.includes(anchor))) broken.push(cited);
  }
  for (const [cited, number] of flat.matchAll(/docs\/adr\/(\d{4})\b/g))
    if (!Object.keys(documents).some((name) => name.startsWith(`docs/adr/${number}-`))) broken.push(cited);
  for (const [cited, numbers] of flat.matchAll(/\brules? (\d+(?:(?:, | and | to )\d+)*)/g))
    if (missing('docs/consistency.md', numbers).length > 0) broken.push(cited);
  for (const [cited, numbers] of flat.matchAll(/interface\.md, endpoints? (\d+(?:(?:, | and | to )\d+)*)/g))
    if (missing('docs/interface.md', numbers).length > 0) broken.push(cited);
  for (const { 0: cited, 1: name, index } of flat.matchAll(/(docs\/(?:interface|decisions)\.md), (?=[A-Z])/g)) {
    const after = flat.slice(index + cited.length);
    const headings = [...(documents[name] ?? '').matchAll(HEADING)].map(([, heading]) => heading);
    if (!headings.some((heading) => after.startsWith(heading))) broken.push(`${cited}${after.slice(0, 30)}`);
  }
  return broken;
};

export const brokenIn = (paths) => {
  const read = (path) => readFileSync(path, 'utf8');
  const documents = Object.fromEntries(paths.filter((path) => path.endsWith('.md')).map((path) => [path, read(path)]));
  return paths
    .filter((path) => /\.(md|ts|js|cjs|css|yml|yaml)$|(^|\/)(Dockerfile|\.env\.example)$/.test(path))
    .flatMap((path) => brokenCitations(path, read(path), documents).map((cited) => `${path}: ${cited}`));
};
