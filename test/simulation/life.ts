/** One life of a node: from its start to the next loss of power. */
import type { Environment } from '../../core/kernel/environment.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import type { Chance } from './chance.ts'
import type { Due, World } from './world.ts'

/** The state of one life. */
export interface Life {
  readonly kernel: Kernel
  readonly timers: Set<Due>
  isOver: boolean
}

/** The clock and the random numbers of one life of a node. After its end no timer runs. */
export function environmentOf(node: { now(): number }, world: World, chance: Chance, life: Life): Environment {
  const bornMs = world.nowMs
  return {
    clock: {
      now: node.now,
      monotonic: () => world.nowMs - bornMs,
      setTimeout(run, delayMs) {
        if (life.isOver) return undefined
        const due = world.in(delayMs, () => {
          life.timers.delete(due)
          run()
        })
        life.timers.add(due)
        return due
      },
      clearTimeout(timer) {
        if (timer === undefined) return
        life.timers.delete(timer as Due)
        world.cancel(timer as Due)
      },
    },
    random: {
      bytes: chance.bytes,
      uuid: () => uuidOf(chance),
    },
  }
}

/** A version 4 UUID (RFC 9562 section 5.4). */
export function uuidOf(chance: Chance): string {
  const bytes = chance.bytes(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
