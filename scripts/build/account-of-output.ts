/** The account of one bundle, out of that of several which were made side by side. */
import type { Metafile } from 'esbuild'

/** The part of an account that is one output's: itself, and the inputs that its entry leads to. */
export function accountOfOutput({ inputs, outputs }: Metafile, name: string): Metafile {
  const output = outputs[name]!
  const found: Metafile['inputs'] = {}
  const queue = [output.entryPoint!]
  for (const input of queue) {
    const account = inputs[input]
    if (account === undefined || input in found) continue
    found[input] = account
    for (const { path, external } of account.imports) if (external !== true) queue.push(path)
  }
  return { inputs: found, outputs: { [name]: output } }
}
