/** Takes the output of a process that ran several test files apart, so that each file is judged by its own. */
import type { Ended } from './verdict.ts'

/** The end of one file of a shared process. */
export interface Segment {
  readonly file: string
  readonly ended: Ended
  readonly durationMs: number
  readonly processorS: number | undefined
}

/** Whether the last of the files has ended. */
export function hasEndedAll(stdout: string, files: readonly string[]): boolean {
  const last = stdout.lastIndexOf(`# file: ${files.at(-1)}\n`)
  return last >= 0 && /^# file ended: /m.test(stdout.slice(last))
}

/**
 * The end of each file. A file that the process did not get through has the end of the process; those after it were not
 * begun, and have no output. What the process left running counts for its last file.
 */
export function segmentsOf(files: readonly string[], ended: Ended): readonly Segment[] {
  const [out, err] = [ended.stdout, ended.stderr].map(byFile)
  return files.map((file, index) => {
    const [stdout, stderr] = [out!.get(file) ?? '', err!.get(file) ?? '']
    const end = /^# file ended: (\d+) ([\d.]+) (\d+)$/m.exec(stdout)
    const isLast = index === files.length - 1
    const endsProcess = end === null || isLast
    const own: Ended = {
      stdout,
      stderr,
      // The process itself ends with 0 after a failed file.
      code: Number(end?.[1]) || (endsProcess ? ended.code : 0),
      signal: endsProcess ? ended.signal : null,
      ended: endsProcess ? ended.ended : undefined,
      leftovers: isLast && ended.leftovers,
    }
    return {
      file,
      ended: own,
      durationMs: Number(end?.[3] ?? 0),
      processorS: end === null ? undefined : Number(end[2]),
    }
  })
}

function byFile(text: string): Map<string, string> {
  const [, ...parts] = text.split(/^# file: /m)
  return new Map(
    parts.map((part) => {
      const at = part.indexOf('\n')
      return [part.slice(0, at), part.slice(at + 1)]
    }),
  )
}
