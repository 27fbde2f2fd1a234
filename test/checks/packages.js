/** Licences under which a package may be part of what we ship. */
const SHIPPED = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'Python-2.0'],
  'OFL-1.1', // of fonts, which a document may embed
];
/** And those of tools that only develop it: they ask something of who changes them, or of who publishes their data. */
const TOOLS = [...SHIPPED, 'CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'Unlicense'];
/** Packages that name their licence as one no longer does, or in their Readme alone, so that npm does not see it; each was read. */
const READ = {
  ...{ buildcheck: 'MIT', 'cpu-features': 'MIT', 'passport-strategy': 'MIT' },
  ...{ pause: 'MIT', 'png-js': 'MIT', ssh2: 'MIT' },
};

/** Whether an SPDX expression gives a choice that is allowed. One in brackets within another is not understood, and refused. */
const isAllowed = (expression, allowed) =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)));

const licenceOf = ({ name, licenses = [] }) =>
  licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' AND ') || READ[name];

const isTool = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

const nameAt = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** What is wrong with packages, a line each: licences, install scripts, sources, checksums. `bom`: `npm sbom`. */
export const faultsOf = ({ bom, lock, manifest, settings }) => {
  const licences = bom.components
    .map((component) => ({ component, licence: licenceOf(component) }))
    .filter(({ component, licence }) => !licence || !isAllowed(licence, isTool(component) ? TOOLS : SHIPPED))
    .map(
      ({ component: { name, version }, licence }) => `${name}@${version} has the licence ${licence ?? 'nobody knows'}`,
    );
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const scripts = new Set(entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameAt(path)));
  const listed = manifest.allowScripts ?? {};
  return [
    ...licences,
    ...[...scripts]
      .filter((name) => !(name in listed))
      .map((name) => `${name} has an install script that is not listed`),
    ...Object.keys(listed)
      .filter((name) => !scripts.has(name))
      .map((name) => `${name} is listed in allowScripts and has no install script`),
    ...Object.keys(listed)
      .filter((name) => listed[name] !== false)
      .map((name) => `${name} may run an install script`),
    // An npm that does not know allowScripts runs what it denies.
    ...(/^ignore-scripts=true$/m.test(settings) ? [] : ['.npmrc does not say ignore-scripts=true']),
    ...entries
      .filter(([, { resolved = 'https:', integrity }]) => !resolved.startsWith('https:') || !integrity)
      .map(([path]) => `${nameAt(path)} has no checksum in package-lock.json, or does not come by https`),
  ];
};
