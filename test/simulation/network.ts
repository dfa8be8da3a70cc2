/**
 * The network between simulated nodes: whole exchanges take time, get lost in either direction, are delivered twice, or
 * do not reach their target.
 */
import type { Exchange, LinkCode, LinkError, PeerAnswer } from '../../plugins/peer/api.ts'
import type { Chance } from './chance.ts'
import type { World } from './world.ts'

/** An endpoint of the network, which answers requests. */
export interface End {
  readonly name: string
  /** Whether the endpoint is up. */
  readonly isUp: boolean
  /** Answers a request. Rejects with a `LinkError` if the caller is not admitted. */
  serve(from: string, exchange: Exchange): Promise<PeerAnswer>
}

/** The current behaviour of the network. */
export interface Weather {
  /** The range of the latency in one direction, in milliseconds. */
  readonly latencyMs: readonly [low: number, high: number]
  /** The probability that a request or an answer is lost. */
  readonly loss: number
  /** The probability that a request is delivered a second time. */
  readonly again: number
}

/** The network. */
export interface Network {
  weather: Weather
  /** The additional latency of slow endpoints in milliseconds, by name. */
  readonly slow: Map<string, number>
  /** The group of each endpoint. Endpoints of different groups do not reach each other. */
  groups: ReadonlyMap<string, number>
  join(end: End): void
  /** Sends a request to an endpoint and returns its answer. Rejects after `timeoutMs`. */
  exchange(from: string, to: string, exchange: Exchange, timeoutMs: number): Promise<PeerAnswer>
}

/** A network without faults. */
export const CALM: Weather = { latencyMs: [1, 3], loss: 0, again: 0 }

/** Creates the network. Each exchange is written into the trace with its number. `show` formats its content. */
export function createNetwork(
  world: World,
  chance: Chance,
  show: (exchange: Exchange | PeerAnswer) => string,
): Network {
  const ends = new Map<string, End>()
  let count = 0

  const latencyMs = (from: string, to: string): number => {
    const [low, high] = network.weather.latencyMs
    return chance.between(low, high) + (network.slow.get(from) ?? 0) + (network.slow.get(to) ?? 0)
  }
  const isCut = (from: string, to: string): boolean =>
    (network.groups.get(from) ?? 0) !== (network.groups.get(to) ?? 0) || !ends.get(to)!.isUp || !ends.get(from)!.isUp

  const network: Network = {
    weather: CALM,
    slow: new Map(),
    groups: new Map(),
    join: (end) => void ends.set(end.name, end),
    exchange(from, to, exchange, timeoutMs) {
      const no = count++
      world.count('exchanges')
      const { loss, again } = network.weather
      // All random numbers are drawn first, so that the faults of one exchange do not depend on other exchanges.
      const [there, back] = [latencyMs(from, to), latencyMs(to, from)]
      const [isLost, isAnswerLost, comesTwice] = [chance.hit(loss), chance.hit(loss), chance.hit(again)]
      const laterMs = chance.hit(0.5) ? chance.between(0, 20) : chance.between(0, 4_000)
      world.tell(`${from} -> ${to} #${no} ${exchange.method} ${exchange.path.split('?')[0]} ${show(exchange)}`)
      return new Promise((resolve, reject) => {
        const late = world.in(timeoutMs, () => end('timeout', 'it did not answer in time.'))
        const end = (code: LinkCode, message: string): void => {
          world.cancel(late)
          if (code === 'unreachable') world.count('unreachable')
          if (code === 'timeout') world.count('timeouts')
          world.tell(`${from} <- ${to} #${no} ${code}`)
          reject(failure(code, message))
        }
        world.in(there, () => {
          // A lost packet leads to a timeout; an unreachable machine leads to an error at once.
          if (isLost) return
          if (isCut(from, to)) return end('unreachable', 'nobody answers.')
          ends
            .get(to)!
            .serve(from, exchange)
            .then(
              (answer) =>
                void world.in(back, () => {
                  if (isAnswerLost || late.run === undefined) return
                  if (isCut(to, from)) return end('unreachable', 'the connection broke off.')
                  world.cancel(late)
                  world.tell(`${from} <- ${to} #${no} ${answer.status} ${show(answer)}`)
                  resolve(answer)
                }),
              (error: LinkError) => void world.in(back, () => late.run !== undefined && end(error.code, error.message)),
            )
        })
        if (comesTwice)
          world.in(there + laterMs, () => {
            if (isCut(from, to)) return
            world.count('repeated')
            world.tell(`${from} -> ${to} #${no} once more`)
            ends
              .get(to)!
              .serve(from, exchange)
              .catch(() => undefined)
          })
      })
    },
  }
  return network
}

/** The error for an exchange without an answer. */
export function failure(code: LinkCode, message: string): LinkError {
  return Object.assign(new Error(message), { code })
}
