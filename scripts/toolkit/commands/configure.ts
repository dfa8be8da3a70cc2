/** `svc-build configure`: chooses the features of a profile. */
import { servePage } from '../configure/page/serve.ts'
import { runPlain } from '../configure/plain.ts'
import { openSession } from '../configure/session.ts'
import { runTerminal } from '../configure/terminal/run.ts'
import { EXIT, toolFail } from '../errors.ts'
import type { Tool } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '[profile.ts]',
  about: `Shows every feature with what it requires and excludes, its routes, settings, packages, licences and measured bytes.
Switch one on or off and see the size, the conflicts and what comes along; saving shows the difference first. Features of your
plugins are in the list too. A file that does not exist begins as a profile that extends another; without a file it is service.ts.
On a terminal it is a full screen; --plain is a dialogue in lines, for screen readers, pipes and scripts; --page is a page in the browser.`,
  example: `svc-build configure edge.ts
svc-build configure edge.ts --page
svc-build configure edge.ts --plain < choices.txt`,
  options: {
    plain: { type: 'boolean', summary: 'a dialogue in lines; also where there is no terminal' },
    page: { type: 'boolean', summary: 'serve a page on 127.0.0.1, and print its address, which works once' },
    port: { type: 'string', value: 'PORT', summary: 'the port of the page; a free one where absent' },
    from: { type: 'string', value: 'PROFILE', summary: 'the profile that a new file extends; minimal where absent' },
  },
  words: [0, 1],
  run: async ({ words: [word = 'service.ts'], flag, value, io }) => {
    if (flag('plain') && flag('page')) throw toolFail('ERR_TOOL_USAGE', { message: 'It takes --plain or --page.' })
    const port = value('port') ?? '0'
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw toolFail('ERR_TOOL_USAGE', { message: `${port} is no port.` })
    }
    io.step(`${word}: reading the features`)
    const session = await openSession(word, value('from') ?? 'minimal')
    const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb'
    if (flag('page')) await servePage(session, Number(port), io)
    else if (isTerminal && !flag('plain') && !io.json) await runTerminal(session, io)
    else {
      const prompt = (text: string): void => void (process.stdin.isTTY === true && process.stderr.write(text))
      await runPlain(session, { input: process.stdin, out: io.out, prompt, step: io.step })
      // An input that stays open would keep the process alive.
      process.stdin.destroy()
    }
    const { targets, rows, verdict } = session.view()
    const isSaved = !session.isChanged()
    return {
      json: { file: session.file, isSaved, targets, features: rows, ...verdict },
      code: isSaved ? EXIT.done : EXIT.failed,
    }
  },
}
