/** Runs the commands of docs/agents-behind-runs.md with a shell, on the built artefacts, and compares their output. */
import { suite } from 'uvu'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/agents-behind-runs.md')
addStories(test, 'docs/agents-behind-runs.md')
test.run()
