/** The wrappers of docs/examples/hosts for drivers of React Native, against the types that these packages publish. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'
import { makeProject, unpacked } from './project.ts'
import { installed, packageFile } from './runtimes/installed.ts'

const test = suite('reach: types of drivers')

/** Drivers: the package, the file that declares its types, and the file of the wrapper. */
const drivers = [
  { name: 'expo-sqlite', types: 'build/index.d.ts', file: 'expo-sqlite.mjs' },
  { name: '@op-engineering/op-sqlite', types: 'lib/typescript/src/index.d.ts', file: 'op-sqlite.mjs' },
]

const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
/** Modules are resolved as in an app, whose bundler needs no file extensions. */
const compilerOptions = {
  ...{ strict: true, noEmit: true, allowJs: true, checkJs: true, types: [], skipLibCheck: true },
  ...{ target: 'es2023', lib: ['es2023'], module: 'esnext', moduleResolution: 'bundler' },
}

/** What the compiler says about a wrapper, after a change of its text. */
async function compiled(
  { name, file }: { readonly name: string; readonly file: string },
  change: (text: string) => string = (text) => text,
): Promise<string> {
  const { folder } = makeProject(folderWith())
  const at = join(folder, 'node_modules', name)
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(dirname(packageFile(name)), at)
  const text = readFileSync(join(root, 'docs/examples/hosts', file), 'utf8')
  writeFileSync(join(folder, file), change(text))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const child = startChild(process.execPath, { args: [compiler, '-p', '.'], cwd: folder })
  await child.exited
  return `${child.out}${child.err}`
}

for (const driver of drivers) {
  const { version, absent } = installed(driver.name, driver.types)
  testUnless(
    test,
    unpacked ?? absent,
    `the wrapper fits ${driver.name} ${version}, and a wrong one does not`,
    async () => {
      assert.is(await compiled(driver), '')
      // A type that could not be read would accept anything.
      assert.match(
        await compiled(driver, (text) => text.replace(/db\.\w+\(/, 'db.execute7(')),
        /'execute7' does not exist/,
      )
      assert.match(
        await compiled(driver, (text) => text.replace(/\(sql, params\)(\.rows)?,?\n\}\)/, '(params, sql)\n})')),
        /TS2\d+/,
      )
      assert.match(await compiled(driver, (text) => text.replace('all: ', 'every: ')), /'every' does not exist/)
    },
  )
}

test.run()
