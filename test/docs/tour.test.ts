/** Runs the commands of docs/tour.md with a shell, on the built artefacts, and compares their output. */
import { suite } from 'uvu'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/tour.md')
addStories(test, 'docs/tour.md')
test.run()
