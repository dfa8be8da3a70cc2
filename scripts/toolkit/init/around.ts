/** The files that a folder needs around a profile, and what a person must change there. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { version } from '../../build/version.ts'

/** The missing files of the current folder, and notes on the files that are there. */
export interface Around {
  readonly files: Readonly<Record<string, string>>
  readonly notes: readonly string[]
}

/** The missing files that a folder needs, so that editors and Node treat its files correctly. */
export function around(): Around {
  const manifest = readManifest('package.json') ?? { private: true }
  const files = {
    ...(manifest['type'] === undefined && {
      'package.json': `${JSON.stringify({ ...manifest, type: 'module' }, null, 2)}\n`,
    }),
    ...(!existsSync('tsconfig.json') && { 'tsconfig.json': tsconfig }),
    ...(!existsSync('.gitignore') && { '.gitignore': 'node_modules\ndist\n.build\n' }),
  }
  return { files, notes: [...notesOnType(manifest['type']), ...notesOnPackage()] }
}

/** `npm init` writes `commonjs`. It is not changed here, because other files of the folder may be CommonJS. */
function notesOnType(type: unknown): string[] {
  if (type === undefined || type === 'module') return []
  return [
    `package.json says "type": ${JSON.stringify(type)}, so Node reads these ` +
      `files as CommonJS and cannot load them.\n  → npm pkg set type=module`,
  ]
}

/** npm has an unrelated package that is called `svc` too. */
function notesOnPackage(): string[] {
  const folder = installed('svc')
  const manifest = folder === undefined ? undefined : readManifest(join(folder, 'package.json'))
  if (
    manifest === undefined ||
    (manifest['exports'] as Record<string, unknown> | undefined)?.['./plugin'] !== undefined
  )
    return []
  const tarball = `svc-${version}.tgz`
  return [
    `${folder} is another package of the name svc (version ${String(manifest['version'])}): ` +
      `it has no svc/plugin, so editors and the compiler find no types.\n  → npm uninstall ` +
      `svc && npm install ./${tarball}   # the path of ${tarball}, which came with the toolkit`,
  ]
}

/** The folder of a package as Node finds it from here. */
function installed(name: string): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return place
    if (dirname(folder) === folder) return undefined
  }
}

function readManifest(file: string): Record<string, unknown> | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : undefined
}

const tsconfig = `{
  "compilerOptions": {
    "target": "ES2023",
    "module": "NodeNext",
    "lib": ["ES2023", "DOM", "DOM.Iterable"],
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "allowImportingTsExtensions": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "types": []
  },
  "include": ["*.ts", "*/*.ts"],
  "exclude": ["node_modules", "dist", ".build"]
}
`
