/**
 * A program as one file that Node runs: a few lines that start it, the program as text, and what V8 compiled of it in a start.
 * V8 takes compiled code for a script and not for a module, so the program is a script, and stands in the module as a comment.
 * This file is copied beside what `generate` writes, so it needs nothing.
 */

/** What V8 compiled of a program up to its first answer. */
export interface CodeCache {
  /** The Node that made it: V8 looks at its own version, and Nodes of one V8 differ. */
  readonly by: string
  readonly base64: string
}

/** How a Node calls itself, for {@link CodeCache.by}; the same expression stands in the file. */
export const thisNode: string = [process.version, process.platform, process.arch].join()

/**
 * The program as a function, which its boot calls with what a script has not of itself: `require`, and `import` too, which Node
 * gives to scripts with a warning alone.
 */
export function toScript(program: string): string {
  return `${OPENING}${program.replace(IMPORT, 'svcImport("')}\n})`
}

const OPENING = '(function(require,svcImport,svcCodeCache,svcStarted){'

/** An import of what stays outside, as the bundler prints it; a method of this name takes no text. */
const IMPORT = /(?<![\w$.])import\("/g

/** The text of the file. Without a cache, or with that of another Node, V8 compiles what it needs, as of any file. */
export function toProgramFile(program: string, cache?: CodeCache): string {
  return `${HEAD}${commented(toScript(program))}${MIDDLE}${commented(cache?.base64 ?? '')}${BY}${JSON.stringify(cache?.by ?? '')}${TAIL}`
}

/** The program of a file; undefined where the file is not, to the byte, what {@link toProgramFile} makes of one. */
export function programIn(file: string): string | undefined {
  const [script, base64, rest] = [between(file, HEAD, MIDDLE), between(file, MIDDLE, BY), between(file, BY, TAIL)]
  const program = script?.slice(OPENING.length, -'\n})'.length).replaceAll('svcImport("', 'import("')
  if (program === undefined || base64 === undefined || rest === undefined) return undefined
  const cache = base64 === '' ? undefined : { base64, by: String(read(rest)) }
  return toProgramFile(program, cache) === file ? program : undefined
}

/** A text as comments: it is cut where it would end one. */
function commented(text: string): string {
  return `/*${text.replaceAll('*/', '*//*')}*/`
}

function between(file: string, from: string, to: string): string | undefined {
  const start = file.indexOf(from)
  const end = file.indexOf(to, start)
  if (start < 0 || end < 0) return undefined
  const text = file.slice(start + from.length, end)
  return text.startsWith('/*') ? text.slice(2, -2).replaceAll('*//*', '*/') : text
}

function read(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A function knows its own text, so nothing is read twice. Imports of computed names are Node's to load, with its warning. */
const HEAD = `import{createRequire}from'node:module';import{constants,Script}from'node:vm';
const textOf=f=>f.toString().slice(7,-3).split('*//*').join('*/');
const text=textOf(()=>{`

const MIDDLE = `});
const cache=textOf(()=>{`

const BY = `}),by=`

const TAIL = `;
const here=[process.version,process.platform,process.arch].join()===by;
const script=new Script(text,{filename:import.meta.filename,importModuleDynamically:constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,...here&&{cachedData:Buffer.from(cache,'base64')}});
script.runInThisContext()(createRequire(import.meta.url),name=>import(name),by?here&&!script.cachedDataRejected?'used':'rejected':undefined);
`
