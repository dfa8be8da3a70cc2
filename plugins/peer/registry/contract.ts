/** The contract of the peer registry. */
import { type Contract, defineContract, type Program, type Ran, same } from '../../../core/testing/contract.ts'

/** A key that is admissible: the base point of the curve. */
const SOMEBODY = '5866666666666666666666666666666666666666666666666666666666666666'
/** The neutral element: a key of small order, for which a signature can be made without a private key. */
const NOBODY = `01${'00'.repeat(31)}`

const expectExit = (what: string, { code, stderr }: Ran, expected: number, says = /(?:)/): void => {
  if (code !== expected || !says.test(stderr)) throw new Error(`${what}: exit code ${code}, ${stderr}`)
}
const listed = async ({ run }: Program): Promise<unknown> => JSON.parse((await run(['peer', 'list', '--json'])).stdout)

/** The contract of feature `peer.registry`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'svc peer id prints 64 hex digits, the same each time',
      dialogue: async ({ run }) => {
        const first = await run(['peer', 'id'])
        expectExit('id', first, 0)
        if (!/^[0-9a-f]{64}\n$/.test(first.stdout)) throw new Error(first.stdout)
        same('again', (await run(['peer', 'id'])).stdout, first.stdout)
      },
    },
    {
      name: 'svc peer add enters a peer, or changes the named parts of its entry; list shows it, remove takes it out',
      dialogue: async (program) => {
        const { run } = program
        const parts = ['--address', '127.0.0.1:7001', '--label', 'desk', '--project', 'demo']
        expectExit('add', await run(['peer', 'add', SOMEBODY, ...parts]), 0, /svc peer add [0-9a-f]{64} --project demo/)
        const entry = {
          endpointId: SOMEBODY,
          addresses: ['127.0.0.1:7001'],
          label: 'desk',
          projects: ['demo'],
          source: 'cli',
        }
        same('list', await listed(program), [entry])
        expectExit('change nothing', await run(['peer', 'add', SOMEBODY]), 0)
        same('kept', await listed(program), [entry])
        expectExit('change', await run(['peer', 'add', SOMEBODY, '--project', 'other']), 0)
        same('changed', await listed(program), [{ ...entry, projects: ['other'] }])
        expectExit('remove', await run(['peer', 'remove', SOMEBODY]), 0)
        same('removed', await listed(program), [])
        expectExit('remove again', await run(['peer', 'remove', SOMEBODY]), 1, /No peer is entered/)
      },
    },
    {
      name: 'svc peer add refuses its own id, a key that cannot be trusted, a bad address, and a label that is in use',
      dialogue: async (program) => {
        const { run } = program
        const ownId = (await run(['peer', 'id'])).stdout.trim()
        expectExit('own', await run(['peer', 'add', ownId]), 1, /this node/)
        expectExit('small order', await run(['peer', 'add', NOBODY]), 1, /cannot|can be trusted/)
        expectExit('no id', await run(['peer', 'add', 'desk']), 1, /64 lower-case hex/)
        for (const address of ['desk', '127.0.0.1', '127.0.0.1:0', '127.0.0.1:65536', 'a b:1'])
          expectExit(address, await run(['peer', 'add', SOMEBODY, '--address', address]), 1, /No address/)
        expectExit('label', await run(['peer', 'add', SOMEBODY, '--label', 'Desk']), 1, /A label/)
        expectExit('label as id', await run(['peer', 'add', SOMEBODY, '--label', ownId]), 1, /A label/)
        expectExit('first', await run(['peer', 'add', SOMEBODY, '--label', 'desk']), 0)
        const other = (await run(['device', 'keygen', '--out', 'other'])).stdout.trim().slice('ed25519:'.length)
        expectExit('taken', await run(['peer', 'add', other, '--label', 'desk']), 1, /Another peer has this label/)
      },
    },
    {
      name: 'svc peer pair and join need a running service, and say which argument is missing',
      dialogue: async ({ run }) => {
        expectExit('pair', await run(['peer', 'pair']), 64, /--project is missing/)
        expectExit('join', await run(['peer', 'join']), 64, /pairing code/)
        expectExit('away', await run(['peer', 'pair', '--project', 'demo']), 1, /Pairing needs the running service/)
      },
    },
    {
      name: 'svc peer rotate makes a new id and says what the peers have to do',
      dialogue: async ({ run }) => {
        const before = (await run(['peer', 'id'])).stdout.trim()
        const rotated = await run(['peer', 'rotate'])
        expectExit('rotate', rotated, 0, new RegExp(`svc peer remove ${before}`))
        const after = (await run(['peer', 'id'])).stdout.trim()
        same('id', rotated.stdout.trim(), after)
        if (after === before) throw new Error('the id is the same')
      },
    },
  ],
  absent: [
    {
      name: 'there is no command peer',
      needs: ['cli'],
      command: ['peer', 'id'],
      exits: { code: 64, stdout: '', stderr: /There is no command "peer"/ },
    },
  ],
})
