/** Creates the npm package: a folder, packed to a tarball. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { distDir, root } from '../build/paths.ts'
import { writeCode } from './code.ts'
import { writeDeclarations } from './declarations.ts'
import { NO_CODE } from './entries.ts'
import { packageManifest } from './manifest.ts'

/**
 * Builds the contents of the package, stages them in `dist/npm/`, and returns the path of the tarball beside that
 * folder.
 */
export async function makePackage(): Promise<string> {
  const folder = distDir('npm')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const code = await writeCode(folder)
  writeFileSync(join(folder, NO_CODE), 'export {}\n')
  await writeDeclarations(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(code), null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), readme)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  return pack(folder)
}

/** @throws Error if npm fails */
function pack(folder: string): string {
  const target = dirname(folder)
  const args = ['pack', folder, '--pack-destination', target, '--ignore-scripts', '--silent', '--offline']
  const name = execFileSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' }).trim()
  return join(target, name.split('\n').at(-1)!)
}

const readme = `# svc

Libraries of the service: \`svc\` (everything), \`svc/minimal\` (\`svc/minimal/single\` is the same as one file),
\`svc/embedded-mobile\`, \`svc/client\`, \`svc/node\` to mount a library in node:http or Express, and \`svc/plugin\` for plugins of your own. Each library says in its \`manifest\` what it was built with.

\`\`\`js
import { createRuntime } from 'svc/minimal'

const runtime = createRuntime({ settings: { security: { jwt_secret: process.env.JWT_SECRET } } })
await runtime.ready()
const response = await runtime.fetch(new Request('http://localhost/health'))
\`\`\`
`
