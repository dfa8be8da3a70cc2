/** docs/backup.md is followed by a shell, command by command, on what ships. */
import { suite } from 'uvu'
import { addStories } from '../support/tour/add-stories.ts'

const test = suite('docs/backup.md')
addStories(test, 'backup.md')
test.run()
