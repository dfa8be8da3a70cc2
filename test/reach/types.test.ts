/** Compiles the types of every entry, without the types of a browser, under three versions of TypeScript. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { startChild } from '../support/child.ts'
import { countOf } from '../support/count.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'
import { makeProject, unpacked } from './project.ts'
import { installed } from './runtimes/installed.ts'

const test = suite('reach: types')

const options = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false },
  ...{ target: 'es2023', lib: ['es2023'], types: ['node'] },
}

/** A project that imports every entry with types. */
function typesProject(): string {
  const { folder } = makeProject(folderWith())
  mkdirSync(join(folder, 'node_modules/@types'))
  mkdirSync(join(folder, 'node_modules/@ag-ui'))
  // What the user of an entry has beside it.
  for (const name of ['@types/node', 'undici-types', '@ag-ui/client', '@types/react', 'react'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const { exports } = JSON.parse(readFileSync(join(folder, 'svc/package.json'), 'utf8')) as { exports: object }
  const entries = Object.entries(exports).filter(([, found]) => typeof found === 'object')
  const imports = entries.map(([entry], index) => `import * as entry${index} from '${entry.replace('.', 'svc')}'`)
  const names = entries.map((_, index) => `entry${index}`)
  writeFileSync(join(folder, 'all.ts'), `${imports.join('\n')}\nexport default [${names.join(', ')}]\n`)
  return folder
}

// Only the compiler of the project in the short form.
const compilers = ['typescript', 'typescript-5', 'typescript-7'].slice(0, countOf({ quick: 1, deep: 3 }))

for (const name of compilers) {
  const { program, version, absent } = installed(name, 'bin/tsc')
  testUnless(test, unpacked ?? absent, `TypeScript ${version}`, async () => {
    const folder = typesProject()
    const resolutions = ['nodenext', 'node16', 'bundler'].slice(0, countOf({ quick: 1, deep: 3 }))
    for (const moduleResolution of resolutions) {
      const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution
      const compilerOptions = { ...options, module, moduleResolution }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['all.ts'] }))
      const compiler = startChild(process.execPath, { args: [program, '-p', '.'], cwd: folder })
      const { code } = await compiler.exited
      assert.is(code, 0, `${moduleResolution}: ${compiler.out}${compiler.err}`)
    }
  })
}

test.run()
