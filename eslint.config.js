import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const THROUGH_PORTS = "Use the kernel's ports: Clock for time and waiting, Ids for ids.";

export default tseslint.config(
  { ignores: ['builds/**', 'dist/**', 'data/**', 'coverage/**'] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: './tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // Nest modules and DTOs are classes that hold decorators only.
      // A view is a class for OpenAPI's sake and answered as a plain object of its shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
    },
  },
  {
    // Marked as deprecated only so that it stands out: tests on loopback have no TLS.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: ['oauth4webapi', 'openid-client'].map((library) => ({
            from: 'package',
            package: library,
            name: 'allowInsecureRequests',
          })),
        },
      ],
    },
  },
  {
    // One lib reads the environment, checks it and gives it its types.
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: ['libs/config/**', '**/*.spec.ts', '**/*.contract.ts', '**/testing/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only libs/config reads the environment.' },
      ],
    },
  },
  {
    // Time, timers and randomness come through the kernel's ports, Clock and Ids, so that a test can decide them.
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: [
      'libs/kernel/src/time-and-ids.port.ts',
      // Adapters, which wait for a driver, a thread or a server.
      '**/*.{embedded,eventstoredb,mongodb}.ts',
      '**/*.spec.ts',
      '**/*.contract.ts',
      '**/testing/**',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['performance', 'setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
          name,
          message: THROUGH_PORTS,
        })),
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'node:crypto', importNames: ['randomUUID'], message: THROUGH_PORTS }],
          patterns: [{ regex: '^(node:)?(timers(/.*)?|perf_hooks)$', message: THROUGH_PORTS }],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...[
          'MemberExpression[object.name="Math"][property.name="random"]',
          'MemberExpression[object.name="Date"][property.name="now"]',
          'MemberExpression[property.name="randomUUID"]',
          'MemberExpression[object.name="globalThis"]',
          'NewExpression[callee.name="Date"][arguments.length=0]',
          'CallExpression[callee.name="Date"]',
        ].map((selector) => ({ selector, message: THROUGH_PORTS })),
      ],
    },
  },
  { files: ['**/*.js', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  {
    // What browsers run, as it is served.
    files: [
      'libs/site/src/browser/*.js',
      'libs/portal/src/auditor/browser/*.js',
      'libs/storefront/src/playground/browser/*.js',
      'libs/agent-tools/src/panel/browser/*.js',
      'libs/traffic/src/dashboard/browser/*.js',
    ],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        (
          'AbortController BroadcastChannel clearInterval DOMParser EventSource FormData TextDecoder TextEncoder URL URLSearchParams addEventListener atob btoa clearTimeout crypto ' +
          'devicePixelRatio document fetch getComputedStyle history location matchMedia navigator performance setInterval setTimeout uPlot ' +
          'window'
        )
          .split(' ')
          .map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // Plain modules of the same kind.
    files: ['libs/storefront/src/verification/browser/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        'TextDecoder crypto document globalThis'.split(' ').map((name) => [name, 'readonly']),
      ),
    },
  },
  { files: ['**/*.cjs'], languageOptions: { globals: { module: 'writable' } } },
);
