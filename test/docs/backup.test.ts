/** docs/backup.md is followed by a shell, command by command, on what ships. */
import { suite } from 'uvu'
import { addStories } from '../support/page-commands/add-stories.ts'

const test = suite('docs/backup.md')
addStories(test, 'docs/backup.md')
test.run()
