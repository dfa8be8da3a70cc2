/** The sub-commands, by name. A sub-command is loaded when it is called. */
import type { Tool } from './tool.ts'

/** The summary and the loader of a sub-command. */
interface Entry {
  readonly summary: string
  readonly load: () => Promise<{ readonly tool: Tool }>
}

/** Every sub-command, in the order of the help. */
export const tools: Readonly<Record<string, Entry>> = {
  init: {
    summary: 'write a profile or a plugin that builds, proves and tests at once',
    load: () => import('./commands/init.ts'),
  },
  configure: {
    summary: 'choose the features of a profile: see size, conflicts and what comes along',
    load: () => import('./commands/configure.ts'),
  },
  build: { summary: 'build and prove profiles', load: () => import('./commands/build.ts') },
  test: { summary: "run a profile's contracts on every form that was built", load: () => import('./commands/test.ts') },
  binary: { summary: 'make the single executable of a profile', load: () => import('./commands/binary.ts') },
  matrix: { summary: 'features and profiles with their sizes', load: () => import('./commands/matrix.ts') },
  dev: { summary: 'run a profile, and replace it at every change', load: () => import('./commands/dev.ts') },
  explain: { summary: 'why something is in a build, or why it is not', load: () => import('./commands/explain.ts') },
  diff: { summary: 'what two builds, or two revisions of one, differ in', load: () => import('./commands/diff.ts') },
  sbom: { summary: 'the bill of materials of what was really bundled', load: () => import('./commands/sbom.ts') },
  notice: { summary: 'the licence texts of what is really in', load: () => import('./commands/notice.ts') },
  sign: { summary: 'sign what a build has delivered', load: () => import('./commands/sign.ts') },
  verify: {
    summary: 'check a build against its proof, a signature, a build made again',
    load: () => import('./commands/verify.ts'),
  },
  advisory: {
    summary: 'whether published vulnerabilities concern a build',
    load: () => import('./commands/advisory.ts'),
  },
  report: { summary: 'one page that shows a build, or two side by side', load: () => import('./commands/report.ts') },
  combos: { summary: 'prove combinations of features', load: () => import('./commands/combos.ts') },
  bench: { summary: 'measure against peers', load: () => import('./commands/bench.ts') },
}
