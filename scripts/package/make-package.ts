/** Creates the npm package: a folder, packed to a tarball. */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildProfile } from '../build/build.ts'
import { distDir, root } from '../build/paths.ts'
import { beginBuild, readUnchanged, recordBuild } from '../build/record/record.ts'
import type { Progress } from '../progress.ts'
import { toldOf } from '../toolkit/build-shown.ts'
import { packagedProfiles, writeCode } from './code.ts'
import { writeDeclarations } from './declarations.ts'
import { NO_CODE } from './entries.ts'
import { packageManifest } from './manifest.ts'

/**
 * Writes the contents of the package into `dist/npm/`, and returns the path of the tarball beside that folder. Profiles
 * that are built and unchanged are not built again; `note` says so.
 * @throws SvcError the errors of the builds
 */
export async function makePackage({ step }: Pick<Progress, 'step'>, note: (line: string) => void): Promise<string> {
  const folder = distDir('npm')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const dists: Record<string, string> = {}
  for (const profile of packagedProfiles) dists[profile] = await step(profile, () => builtFolder(profile, note))
  const code = await step('code', () => writeCode(folder, dists))
  writeFileSync(join(folder, NO_CODE), 'export {}\n')
  await step('types', () => writeDeclarations(folder))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(code), null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), readme)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  return step('tarball of svc', () => pack(folder))
}

/** The folder of a profile's build: that of the last one if nothing has changed since. */
async function builtFolder(profile: string, note: (line: string) => void): Promise<string> {
  const before = readUnchanged(profile)
  if (before !== undefined) {
    note(`${profile} is reused: nothing has changed since ${before.since}, when it was built and proven`)
    return before.folder
  }
  const begun = beginBuild()
  const built = await buildProfile(profile)
  await recordBuild(profile, begun, built, toldOf(built))
  return built.folder!
}

/** @throws Error if npm fails */
async function pack(folder: string): Promise<string> {
  const target = dirname(folder)
  const args = ['pack', folder, '--pack-destination', target, '--ignore-scripts', '--silent', '--offline']
  const options = { encoding: 'utf8', shell: process.platform === 'win32' } as const
  const { stdout } = await promisify(execFile)('npm', args, options)
  return join(target, stdout.trim().split('\n').at(-1)!)
}

const readme = `# svc

Libraries of the service: \`svc\` (everything), \`svc/minimal\` (\`svc/minimal/single\` is the same as one file),
\`svc/embedded-mobile\`, \`svc/embedded-native\`, \`svc/client\`, \`svc/ag-ui\` (with \`@ag-ui/client\`), \`svc/react\` (with \`react\`), \`svc/node\` to mount a library in node:http or Express, and \`svc/plugin\` for plugins of your own. Each library says in its \`manifest\` what it was built with.

\`\`\`js
import { createRuntime } from 'svc/minimal'

const runtime = createRuntime({ settings: { security: { jwt_secret: process.env.JWT_SECRET } } })
await runtime.ready()
const response = await runtime.fetch(new Request('http://localhost/health'))
\`\`\`
`
