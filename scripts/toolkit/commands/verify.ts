/** `svc-build verify`: checks a folder against its proof, its signature, and a rebuild. */
import { resolve } from 'node:path'
import { printable } from '../../../core/kernel/printable.ts'
import { shown, workDir } from '../../build/paths.ts'
import { standardProfiles } from '../../build/plan/read-profile.ts'
import { checkDist } from '../../build/prove/dist.ts'
import { keyIdOf, open } from '../attest/envelope.ts'
import { trustedKey } from '../attest/keys.ts'
import { rebuildDiffers } from '../attest/rebuild.ts'
import { differences } from '../attest/statement.ts'
import { EXIT, toolFail } from '../errors.ts'
import { readText } from '../files.ts'
import { DIST_WORD, type Dist, folderOf, readDist } from '../open-dist.ts'
import type { Tool, ToolIo } from '../tool.ts'
import { signatureOf } from './sign.ts'

/** The result of one check. */
interface Check {
  readonly check: 'proof' | 'signature' | 'rebuild'
  readonly problems: readonly string[]
}

/** Size limit of an envelope in bytes. It lists files and packages, with some hundreds of bytes each. */
const LONGEST_SIGNATURE_BYTES = 16 * 1_048_576

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>',
  about: `Checks every file of a build against its proof; with --key against what that key has signed; with --rebuild against a
build made again in another folder. The trusted key must come from outside the build. Without --rebuild nothing is built.
The profile is ${DIST_WORD}.`,
  example: `svc-build verify minimal --key release.pem.pub
svc-build verify ./dist/minimal --rebuild`,
  options: {
    key: { type: 'string', value: 'FILE', summary: 'the public key that is trusted, PEM' },
    signature: { type: 'string', value: 'FILE', summary: 'the envelope; beside the folder where absent' },
    rebuild: { type: 'boolean', summary: 'build it again and compare' },
    profile: { type: 'string', value: 'PROFILE', summary: 'what to build again, where a folder was named' },
  },
  words: [1, 1],
  run: async ({ words, value, flag, io }) => {
    const word = words[0]!
    const folder = await folderOf(word)
    const dist = readDist(folder)
    const checks: Check[] = [{ check: 'proof', problems: proofProblems(folder) }]
    const key = value('key')
    if (key !== undefined) checks.push(checkSignature(dist, key, resolve(value('signature') ?? signatureOf(folder))))
    if (flag('rebuild')) {
      const profile =
        value('profile') ?? (word === dist.account.profile || /\.[cm]?[jt]s$/.test(word) ? word : undefined)
      io.step('building it again')
      checks.push({ check: 'rebuild', problems: rebuildDiffers(dist, profile ?? ours(dist.account.profile)) })
    }
    show(folder, checks, key === undefined, io)
    const good = checks.every(({ problems }) => problems.length === 0)
    return { json: { folder, good, checks }, code: good ? EXIT.done : EXIT.failed }
  },
}

function proofProblems(folder: string): string[] {
  try {
    return checkDist(folder).map(({ message }) => message)
  } catch (cause) {
    throw toolFail('ERR_TOOL_UNBUILT', { message: `${folder} holds no proof that can be read.`, cause })
  }
}

function checkSignature({ folder, account }: Dist, keyFile: string, file: string): Check {
  const key = trustedKey(keyFile, folder)
  let envelope: unknown
  try {
    envelope = JSON.parse(readText(file, LONGEST_SIGNATURE_BYTES))
  } catch (cause) {
    return { check: 'signature', problems: [`${shown(file, workDir)} holds no signature: ${(cause as Error).message}`] }
  }
  try {
    return { check: 'signature', problems: differences(open(envelope, key), folder, account.profile) }
  } catch (error) {
    return { check: 'signature', problems: [`${(error as Error).message} (trusted: ${keyIdOf(key)})`] }
  }
}

function ours(profile: string): string {
  if (standardProfiles().includes(profile)) return profile
  throw toolFail('ERR_TOOL_USAGE', {
    message: `${profile} is not a standard profile.`,
    hint: 'Name its file: --profile edge.ts',
  })
}

function show(folder: string, checks: readonly Check[], unsigned: boolean, io: ToolIo): void {
  for (const { check, problems } of checks) {
    io.out(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${check}`)
    // A problem can name files and texts of the proof, which must not add a line to the report.
    for (const problem of problems) io.out(`     ${printable(problem)}`)
  }
  if (unsigned) io.out('     no --key: whoever could change the files could change the proof as well')
  io.out(`→ ${printable(shown(folder, workDir))}/`)
}
