/** Runs the commands of docs/at-night.md with a shell, on the built executable. */
import { suite } from 'uvu'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/at-night.md')
addStories(test, 'docs/at-night.md')
test.run()
