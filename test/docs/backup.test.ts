/** Runs the commands of docs/backup.md with a shell, on the built artefacts. */
import { suite } from 'uvu'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/backup.md')
addStories(test, 'docs/backup.md')
test.run()
