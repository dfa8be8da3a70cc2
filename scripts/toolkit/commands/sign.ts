/** `svc-build sign`: signs the files of a build. */
import { createPublicKey } from 'node:crypto'
import { resolve } from 'node:path'
import { printable } from '../../../core/kernel/printable.ts'
import { shown, workDir } from '../../build/paths.ts'
import { checkDist } from '../../build/prove/dist.ts'
import { keyIdOf, seal } from '../attest/envelope.ts'
import { makeKey, signingKey } from '../attest/keys.ts'
import { statementOf } from '../attest/statement.ts'
import { toolFail } from '../errors.ts'
import { writeFile } from '../files.ts'
import { DIST_WORD, openDist } from '../open-dist.ts'
import type { Tool } from '../tool.ts'

/** Path of a folder's signature. It is beside the folder, because the folder contains only signed files. */
export function signatureOf(folder: string): string {
  return `${folder}.dsse.json`
}

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile>',
  about: `Writes an in-toto statement with SLSA provenance about every file of the build, in a DSSE envelope signed with Ed25519,
beside the folder: dist/<profile>.dsse.json. A build that differs from its proof is not signed.
The profile is ${DIST_WORD}.`,
  example: `svc-build sign minimal --new-key release.pem   # makes release.pem and release.pem.pub first
svc-build sign minimal --key release.pem`,
  options: {
    key: { type: 'string', value: 'FILE', summary: 'the private key, PEM' },
    'new-key': { type: 'string', value: 'FILE', summary: 'make a key pair first: FILE and FILE.pub' },
    out: { type: 'string', value: 'FILE', summary: 'where to write the envelope' },
  },
  words: [1, 1],
  run: async ({ words, value, io }) => {
    const file = value('new-key') ?? value('key')
    if (file === undefined) throw toolFail('ERR_TOOL_USAGE', { message: 'It takes --key or --new-key.' })
    const dist = await openDist(words[0]!)
    const problems = checkDist(dist.folder)
    if (problems.length > 0) {
      const message =
        `${shown(dist.folder, workDir)} is not ` +
        `signed:\n${problems.map((one) => `  ${printable(one.message)}`).join('\n')}`
      throw toolFail('ERR_TOOL_VERIFY', { message })
    }
    if (value('new-key') !== undefined) makeKey(file)
    const key = signingKey(file)
    const statement = statementOf(dist)
    const out = resolve(value('out') ?? signatureOf(dist.folder))
    writeFile(out, `${JSON.stringify(seal(statement, key), null, 2)}\n`)
    const keyId = keyIdOf(createPublicKey(key as never))
    const files = (statement['subject'] as readonly unknown[]).length
    io.out(`  ${files} files, key ${keyId}`)
    io.out(`→ ${shown(out, workDir)}`)
    return { json: { file: out, keyId, files } }
  },
}
