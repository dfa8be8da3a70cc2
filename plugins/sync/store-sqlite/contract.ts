/** What the receipt file promises, seen through the device commands, which share it with the service. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contract, defineContract, type Program } from '../../../core/testing/contract.ts'

const needs = ['sync.api']

async function done({ run }: Program, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args)
  if (code !== 0) throw new Error(`svc ${args.join(' ')}: exit code ${code}, ${stderr}`)
  return stdout
}

/** Makes a store with one device. Returns the path of its file and the key id. */
async function enrol(program: Program): Promise<{ readonly file: string; readonly keyId: string }> {
  await done(program, 'device', 'keygen', '--out', 'demo.key')
  const keyId = await done(program, 'device', 'enroll', '--key', 'demo.key.pub', '--scope', 'kbd-control:demo')
  return { file: join(program.folder, 'state', 'sync.db'), keyId: keyId.trim() }
}

/** The contract of feature `sync.store-sqlite`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'what one process has written, the next one finds; the file and its folder are for the owner alone',
      needs,
      dialogue: async (program) => {
        const { file, keyId } = await enrol(program)
        for (const path of [file, join(file, '..')])
          if ((statSync(path).mode & 0o077) !== 0) throw new Error(`${path} is open to others`)
        const listed = await done(program, 'device', 'list')
        if (!listed.startsWith(`${keyId}\tactive\tkbd-control:demo`)) throw new Error(listed)
        await done(program, 'device', 'revoke', keyId, '--reason', 'lost')
        const [device] = JSON.parse(await done(program, 'device', 'list', '--json')) as { revokedReason: string }[]
        if (device?.revokedReason !== 'lost') throw new Error(JSON.stringify(device))
        for (const [why, ...args] of [
          ['a revocation is final', 'device', 'enroll', '--key', 'demo.key.pub', '--scope', 'kbd-control:demo'],
          [
            'a private key is no key of a device',
            'device',
            'enroll',
            '--key',
            'demo.key',
            '--scope',
            'kbd-control:demo',
          ],
          ['a key is not overwritten', 'device', 'keygen', '--out', 'demo.key'],
        ]) {
          const { code, stderr } = await program.run(args)
          if (code !== 1 || stderr === '') throw new Error(`${why}: exit code ${code}, ${stderr}`)
        }
      },
    },
    {
      name: 'what is no store is refused and left as it was',
      needs,
      dialogue: async (program) => {
        const { file } = await enrol(program)
        const text = 'this is no database, and it is long enough to be looked at'
        writeFileSync(file, text)
        const { code, stderr } = await program.run(['device', 'list'])
        if (code === 0 || stderr === '') throw new Error(`exit code ${code}, ${stderr}`)
        if (readFileSync(file, 'utf8') !== text) throw new Error('the file was changed')
      },
    },
  ],
  absent: [
    {
      name: 'there is no store to enrol devices in',
      needs: ['cli'],
      command: ['device', 'list'],
      exits: { code: 64, stdout: '', stderr: /There is no command "device"/ },
    },
  ],
})
