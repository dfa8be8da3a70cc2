/** The net between simulated nodes: whole exchanges that take time, get lost on either way, come twice, or find nobody. */
import type { Exchange, LinkCode, LinkError, PeerAnswer } from '../../plugins/peer/api.ts'
import type { Chance } from './chance.ts'
import type { World } from './world.ts'

/** One end: answers what comes in, or says why it hears nothing. */
export interface End {
  readonly name: string
  /** False while it is down. */
  readonly isUp: boolean
  /** Rejects with a `LinkError` where the caller is not let in. */
  serve(from: string, exchange: Exchange): Promise<PeerAnswer>
}

/** How the net is at a moment. */
export interface Weather {
  /** Milliseconds of one way. */
  readonly latencyMs: readonly [low: number, high: number]
  /** Probability that a request, or an answer, is lost. */
  readonly loss: number
  /** Probability that a request comes a second time, later. */
  readonly again: number
}

/** The net. */
export interface Network {
  weather: Weather
  /** Milliseconds that one end takes longer, by name. */
  readonly slow: Map<string, number>
  /** Which group each end is in; ends of different groups do not reach each other. */
  groups: ReadonlyMap<string, number>
  join(end: End): void
  /** Sends a request to an end and gives its answer; what comes later than `timeoutMs` is not waited for. */
  exchange(from: string, to: string, exchange: Exchange, timeoutMs: number): Promise<PeerAnswer>
}

/** A net on which nothing goes wrong. */
export const CALM: Weather = { latencyMs: [1, 3], loss: 0, again: 0 }

/** Makes the net. `tell` hears of each exchange by its number. */
export function createNetwork(
  world: World,
  chance: Chance,
  show: (exchange: Exchange | PeerAnswer) => string,
): Network {
  const ends = new Map<string, End>()
  let made = 0

  const wayMs = (from: string, to: string): number => {
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
      const no = made++
      world.count('exchanges')
      const { loss, again } = network.weather
      // Drawn before anything happens: what one exchange meets does not hang on how another one went.
      const [there, back] = [wayMs(from, to), wayMs(to, from)]
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
          // A packet that is lost is waited for; a machine that is not there is noticed.
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

/** Why there is no answer. */
export function failure(code: LinkCode, message: string): LinkError {
  return Object.assign(new Error(message), { code })
}
