/** Tests plain response bodies that clients do not read. */
import * as assert from 'uvu/assert'
import { type AddCases, eventually, get } from './common.ts'

const MIB = 1024 * 1024
/** Exceeds the buffers of both sockets of a connection. */
const BODY_BYTES = 16 * MIB
/** How many different bodies of this size fit into the limit of unread bytes. */
const FIT = 4

/** A client that reads nothing yet. */
interface Stalled {
  /** Bytes that it has read. */
  received(): number
  /** Reads the whole response. Returns its number of bytes, or fewer if the connection was closed. */
  read(): Promise<number>
}

export const addUnreadCases: AddCases = (test, start) => {
  const shared = new Uint8Array(BODY_BYTES)
  let made = 0

  const answer = (body: Uint8Array) => {
    made++
    return { status: 200, body }
  }

  async function startLarge() {
    made = 0
    const { dial } = await start([
      { path: '/own', handler: () => answer(new Uint8Array(BODY_BYTES)) },
      { path: '/shared', handler: () => answer(shared) },
    ])
    /** Sends a request and reads nothing, until `read` reads the whole response. */
    const stall = async (path: string, connection = 'keep-alive'): Promise<Stalled> => {
      const { socket } = dial()
      socket.removeAllListeners('data')
      socket.pause()
      let bytes = 0
      socket.on('error', () => undefined)
      const before = made
      socket.write(get(path, `Connection: ${connection}\r\n`))
      assert.ok(await eventually(() => made > before))
      return {
        received: () => bytes,
        read: async () => {
          socket.on('data', (chunk) => void (bytes += chunk.length))
          socket.resume()
          await eventually(() => bytes >= BODY_BYTES || socket.destroyed || socket.readableEnded)
          return bytes
        },
      }
    }
    return stall
  }

  for (const connection of ['keep-alive', 'close', 'close, te'])
    test(`clients that do not read separate bodies are disconnected, oldest first: ${connection}`, async () => {
      const stall = await startLarge()
      const readers: Stalled[] = []
      for (let n = 0; n < FIT + 4; n++) readers.push(await stall('/own', connection))
      const whole: boolean[] = []
      for (const { read } of readers) whole.push((await read()) >= BODY_BYTES)
      assert.equal(
        whole,
        readers.map((_, n) => n >= readers.length - FIT),
      )
    })

  test('a large body is sent with its length if the request asks to close the connection', async () => {
    const { dial } = await start([
      { path: '/large', handler: () => ({ status: 200, body: new Uint8Array(BODY_BYTES) }) },
    ])
    const client = dial(get('/large', 'Connection: close\r\n'))
    const text = await client.closed()
    const head = text.slice(0, text.indexOf('\r\n\r\n') + 4)
    assert.match(head, new RegExp(`^content-length: ${BODY_BYTES}\r$`, 'im'))
    assert.match(head, /^connection: close\r$/im)
    assert.is(text.length, head.length + BODY_BYTES)
  })

  test('a shared body counts once against the limit of unread bytes, and every client gets it later', async () => {
    const stall = await startLarge()
    const readers: Stalled[] = []
    for (let n = 0; n < FIT + 4; n++) readers.push(await stall('/shared'))
    for (const { read } of readers) assert.ok((await read()) >= BODY_BYTES)
  })

  test('a client that reads is not disconnected because other clients do not read', async () => {
    const stall = await startLarge()
    const reader = await stall('/own')
    const reading = reader.read()
    for (let n = 0; n < FIT + 4; n++) {
      const before = reader.received()
      await stall('/own')
      // Client and server share this process, so without a wait the client may have had no turn to read. The server
      // sees that the client reads when it can write again, so the client reads much between two others.
      await eventually(() => reader.received() > Math.min(before + MIB, BODY_BYTES))
    }
    assert.ok((await reading) >= BODY_BYTES)
  })
}
