/** Runs the screen on a terminal, and leaves the terminal as it was, however it ends. */
import { emitKeypressEvents } from 'node:readline'
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { ToolIo } from '../../tool.ts'
import { nextVariants, nextWhere } from '../model/cycle.ts'
import type { Session } from '../session.ts'
import { draw, type Line, listHeight, type Screen } from './draw.ts'
import { type Action, type Key, press, type ScreenState } from './state.ts'

const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'

/** Runs until the person ends it. */
export async function runTerminal(session: Session, io: ToolIo): Promise<void> {
  const { stdin, stdout } = process
  let state: ScreenState = {
    mode: 'list',
    id: session.view().rows[0]?.id ?? '',
    search: '',
    scroll: 0,
    message: ['? help'],
    plan: undefined,
  }
  const screen = (): Screen => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
  const show = (): void => {
    const lines = draw(state, session.view(), { file: session.file, isChanged: session.isChanged() }, screen())
    stdout.write(`\u001b[H${lines.map((line) => styled(line, io)).join('\r\n')}`)
  }
  const say = (...message: readonly string[]): void => {
    state = { ...state, message }
    show()
  }
  const leave = openScreen()
  let isBusy = false
  const act = async (action: Action): Promise<void> => {
    isBusy = SLOW.has(action.do)
    try {
      state = { ...state, ...(await perform(session, action, state, (text) => say(`${text} …`))) }
    } catch (error) {
      if (!isSvcError(error)) throw error
      state = { ...state, message: [error.message, ...(error.hint === undefined ? [] : [error.hint])] }
    } finally {
      isBusy = false
    }
  }
  const ended = new Promise<NodeJS.Signals | undefined>((resolve, reject) => {
    // Keys can arrive together. Each acts on the state that the key before it has left.
    let queue = Promise.resolve()
    const handle = async (key: Key): Promise<void> => {
      const { state: next, action } = press(state, key, session.view(), listHeight(screen()))
      state = next
      if (action?.do === 'end' || (action?.do === 'quit' && !session.isChanged())) return resolve(undefined)
      if (action?.do === 'quit') state = { ...state, mode: 'quit' }
      else if (action !== undefined) await act(action)
      show()
    }
    stdin.on('keypress', (_: string | undefined, key: Key) => {
      if (key.ctrl === true && key.name === 'c') return resolve(undefined)
      // A measurement takes seconds. Keys of that time would act on a screen that the person did not see.
      if (!isBusy) queue = queue.then(() => handle(key)).catch(reject)
    })
    stdin.once('end', () => resolve(undefined))
    for (const signal of SIGNALS) process.once(signal, resolve)
  })
  stdout.on('resize', show)
  show()
  const signal = await ended.finally(() => {
    stdout.off('resize', show)
    leave()
  })
  if (signal === undefined) return
  // The signal is delivered in a later turn of the event loop, and ends the process then.
  process.kill(process.pid, signal)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
}

/** Actions that bundle or write. */
const SLOW: ReadonlySet<string> = new Set(['measure', 'plan', 'write'])

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Switches to a screen of its own and to single keys. Returns a function that switches back. */
function openScreen(): () => void {
  const { stdin, stdout } = process
  let isOpen = true
  const leave = (): void => {
    if (!isOpen) return
    isOpen = false
    stdin.setRawMode(false)
    stdin.pause()
    stdout.write(LEAVE)
  }
  // An error that nobody catches ends the process, too.
  process.once('exit', leave)
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.resume()
  stdout.write(ENTER)
  return () => {
    process.removeListener('exit', leave)
    leave()
  }
}

async function perform(
  session: Session,
  action: Action,
  { id, plan }: ScreenState,
  step: (text: string) => void,
): Promise<Partial<ScreenState>> {
  const row = session.view().rows.find((one) => one.id === id)
  switch (action.do) {
    case 'toggle':
      return { message: session.toggle(id) }
    case 'where':
      return { message: row === undefined ? [] : session.on(id, nextWhere(row)) }
    case 'variant': {
      const steps = row === undefined ? [] : nextVariants(row, action.step)
      if (steps.length === 0) return { message: [`${id} has no other variant here`] }
      return { message: steps.flatMap(([place, name]) => session.variant(id, name, place)) }
    }
    case 'undo':
      return { message: session.undo() }
    case 'measure':
      return { message: await session.measure(step) }
    case 'plan':
      return { plan: await session.planSave(step), mode: 'save', scroll: 0, message: [] }
    case 'write':
      return { message: plan === undefined ? [] : await session.save(plan), plan: undefined }
    default:
      return {}
  }
}

function styled({ text, isMarked = false, isStrong = false }: Line, { color }: ToolIo): string {
  if (!color || !(isMarked || isStrong)) return text
  return isMarked ? `\u001b[7m${text}\u001b[27m` : `\u001b[1m${text}\u001b[22m`
}
