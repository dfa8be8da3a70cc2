/** `svc push`: signs a push, sends it to the running service, shows the receipt and, if asked, its events. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Command, type CommandIo, UsageError } from '../../../../core/declare/command.ts'
import { printable, toJsonText } from '../../../../core/kernel/printable.ts'
import { fromEndpointId, isAdmissibleKey } from '../../../protocol/keys.ts'
import { signPush } from '../../../protocol/sign/index.ts'
import type { PushReceipt, ReceiptEvent } from '../../api.ts'
import { PUSHES_PATH } from '../paths.ts'
import { configuredSocket, readOptions } from './arguments.ts'
import { openDeviceKey } from './key-files.ts'
import { noAnswer, readEvents, readText, send } from './local-client.ts'

const HELP = `Usage: svc push --key <file> --domain <family:project> [--target <endpointId or label> …] [--head <hash> … | --empty]
                [--request-id <uuid>] [--socket <path>] [--follow] [--print]

Signs a push with the private key of an enrolled device and sends it over the Unix socket. The receipt goes to stdout.
--target    hand it to this peer, by its endpoint id or the label of svc peer add; may be repeated.
--head      expect the project at this frontier; may be repeated. --empty expects an empty project.
--request-id  send under this id: the same command again is then the same push.
--follow    show the events of the receipt, one JSON object a line, until nothing can follow.
            Ends with 1 where a target rejected the push.
--print     print the signed request instead of sending it.`

/** How often the same request is sent again if the connection breaks before the response. */
const RESENDS = 3
const RECONNECT_MS = 1_000

/** The command `push`. */
export const pushCommand: Command = {
  name: 'push',
  summary: 'sign a push, send it and show its receipt; --follow streams its events',
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, {
      key: { type: 'string' },
      domain: { type: 'string' },
      target: { type: 'string', multiple: true },
      head: { type: 'string', multiple: true },
      empty: { type: 'boolean' },
      'request-id': { type: 'string' },
      socket: { type: 'string' },
      follow: { type: 'boolean' },
      print: { type: 'boolean' },
    })
    const { key: file, domain, head, empty } = values
    if (file === undefined || domain === undefined) throw new UsageError('--key and --domain are needed')
    if (positionals.length > 0 || (head !== undefined && empty === true)) throw new UsageError('too many arguments')
    const socket = values.socket ?? configuredSocket(io)
    const target = await toEndpointIds(values.target ?? [], socket)
    requireEach(
      '--target',
      target,
      isEndpointId,
      'an endpoint id, which is an Ed25519 public key in 64 lower-case hex digits',
    )
    requireEach('--head', head ?? [], isHash, 'a hash of 64 lower-case hex digits')
    const heads = empty === true ? [] : head
    const request = await signPush(openDeviceKey(file), {
      requestId: values['request-id'],
      domain,
      targetEndpointIds: target,
      expectedFrontier: heads === undefined ? null : { heads },
    })
    const body = JSON.stringify(request)
    if (values.print === true) {
      io.out(body)
      return 0
    }
    const receipt = await submit(socket, body, io)
    if (receipt === undefined) return 1
    if (values.follow !== true) return 0
    return (await follow(socket, receipt.pushId, io)) ? 1 : 0
  },
}

/** The members of a peer in `GET /api/v1/peers` that are used here. */
interface ListedPeer {
  readonly endpointId: string
  readonly label: string | null
}

/** The endpoint ids of targets. Labels are looked up at the service. */
async function toEndpointIds(targets: readonly string[], socket: string): Promise<readonly string[]> {
  if (targets.every((target) => !LABEL.test(target) || isHash(target))) return targets
  const answer = await send(socket, 'GET', '/api/v1/peers').catch((error: unknown) => {
    throw new Error(`${noAnswer(socket, error)} So no label is known.`)
  })
  const { peers = [] } = JSON.parse(await readText(answer)) as { readonly peers?: readonly ListedPeer[] }
  return targets.map((target) => {
    const endpointId =
      !LABEL.test(target) || isHash(target) ? target : peers.find(({ label }) => label === target)?.endpointId
    if (endpointId === undefined) throw new Error(`No peer has the label ${target}: svc peer list`)
    return endpointId
  })
}

const LABEL = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Refuses, before anything is signed, what the service would refuse. */
function requireEach(option: string, values: readonly string[], isOne: (text: string) => boolean, what: string): void {
  const wrong = values.find((text) => !isOne(text))
  if (wrong !== undefined) throw new UsageError(`${option} ${printable(wrong)} is not ${what}`)
  if (new Set(values).size !== values.length) throw new UsageError(`${option} is given twice with one value`)
}

function isEndpointId(text: string): boolean {
  const key = fromEndpointId(text)
  return key !== undefined && isAdmissibleKey(key)
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Sends a request, and the same bytes again if the connection breaks. The service executes them once. */
async function submit(socket: string, body: string, io: CommandIo): Promise<PushReceipt | undefined> {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await send(socket, 'POST', PUSHES_PATH, { 'content-type': 'application/json' }, body)
      const text = await readText(answer)
      const value = JSON.parse(text) as PushReceipt & { error?: { code: string; message: string } }
      if (value.error === undefined) {
        io.err(answer.statusCode === 201 ? 'Accepted.' : 'Seen before: this is the receipt of then.')
        io.out(toJsonText(value, 2))
        return value
      }
      io.err(`${answer.statusCode} ${value.error.code}: ${value.error.message}`)
      io.out(text)
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (tries === RESENDS || code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'EACCES')
        throw new Error(noAnswer(socket, error))
      await wait(RECONNECT_MS)
    }
  }
}

/**
 * Prints events until the service says that none can follow, and reconnects if the connection breaks. Returns whether a
 * target has rejected the push.
 */
async function follow(socket: string, pushId: string, io: CommandIo): Promise<boolean> {
  let last = '0'
  let isRejected = false
  for (;;) {
    try {
      const answer = await send(socket, 'GET', `${PUSHES_PATH}/${pushId}/events`, { 'last-event-id': last })
      if (answer.statusCode === 204) return isRejected
      if (answer.statusCode !== 200) throw new Error(await readText(answer))
      for await (const { id, event, data } of readEvents(answer)) {
        if (event === 'end') return isRejected
        io.out(data)
        isRejected ||= (JSON.parse(data) as ReceiptEvent).kind === 'peer_rejected'
        last = id ?? last
      }
    } catch (error) {
      io.err(`The stream broke off: ${(error as Error).message}`)
    }
    await wait(RECONNECT_MS)
  }
}
