/** The tools that change cards. */
import { CommandRefusal } from '../../../core/declare/command.ts'
import { orNull } from '../../../core/declare/json-schema.ts'
import { gives, inputs, outputs, takes } from './schemas.ts'
import { idOfCall, memberOf, type Tool, textOf } from './tool.ts'

const { text: TEXT, count: COUNT } = outputs

/** The tools. */
export const cardTools: readonly Tool[] = [
  {
    name: 'card_create',
    title: 'Create a card',
    description: 'Puts a new card at the end of a column, by default of the first one of the board.',
    inputSchema: takes(['title'], {
      title: inputs.title,
      board: inputs.board,
      column: inputs.column,
      body: inputs.text,
      labels: inputs.labels,
      idempotency_key: inputs.idempotencyKey,
    }),
    outputSchema: gives({ cardId: TEXT }),
    reads: false,
    run: async (input, context) => ({
      cardId: await context.board.addCard({
        id: idOfCall(input, context, 'card_create'),
        title: textOf(input, 'title'),
        board: memberOf(input, 'board'),
        column: memberOf(input, 'column'),
        body: memberOf(input, 'body'),
        labels: memberOf(input, 'labels'),
      }),
    }),
  },
  {
    name: 'card_edit',
    title: 'Edit a card',
    description: 'Changes the given members of a card: its title, text, priority or assignee. null clears a member.',
    inputSchema: takes(['card'], {
      card: inputs.card,
      title: inputs.title,
      body: orNull(inputs.text),
      priority: inputs.priority,
      assignee: inputs.assignee,
    }),
    outputSchema: gives({ cardId: TEXT }),
    reads: false,
    async run(input, { board }) {
      const { card, ...change } = input
      if (Object.keys(change).length === 0)
        throw new CommandRefusal('input_invalid', 'Give a title, body, priority or assignee.')
      return { cardId: await board.editCard(String(card), change) }
    },
  },
  {
    name: 'card_label',
    title: 'Label a card',
    description: 'Adds labels to a card, and removes labels from it.',
    inputSchema: takes(['card'], { card: inputs.card, add: inputs.labels, remove: inputs.labels }),
    outputSchema: gives({ cardId: TEXT }),
    reads: false,
    async run(input, { board }) {
      const added = memberOf<readonly string[]>(input, 'add') ?? []
      const removed = memberOf<readonly string[]>(input, 'remove') ?? []
      if (added.length + removed.length === 0)
        throw new CommandRefusal('input_invalid', 'Give labels to add or to remove.')
      return { cardId: await board.labelCard(textOf(input, 'card'), added, removed) }
    },
  },
  {
    name: 'card_move',
    title: 'Move a card',
    description: 'Moves a card to the end of a column. Claim a card before you work on it.',
    inputSchema: takes(['card', 'column'], { card: inputs.card, column: inputs.column }),
    outputSchema: gives({ cardId: TEXT, columnId: TEXT, revision: COUNT }),
    reads: false,
    async run(input, { board }) {
      const { card, columnId, entered } = await board.moveCard(textOf(input, 'card'), textOf(input, 'column'))
      return { cardId: card.cardId, columnId, revision: entered.revision }
    },
  },
  {
    name: 'card_comment',
    title: 'Comment on a card',
    description: 'Adds a comment to a card.',
    inputSchema: takes(['card', 'text'], {
      card: inputs.card,
      text: inputs.text,
      idempotency_key: inputs.idempotencyKey,
    }),
    outputSchema: gives({ commentId: TEXT, revision: COUNT }),
    reads: false,
    async run(input, context) {
      const id = idOfCall(input, context, 'card_comment')
      const { commentId, revision } = await context.board.comment(textOf(input, 'card'), textOf(input, 'text'), id)
      return { commentId, revision }
    },
  },
  {
    name: 'card_archive',
    title: 'Archive a card',
    description: 'Takes a card off its board. Nothing is deleted; people can restore it.',
    inputSchema: takes(['card'], { card: inputs.card }),
    outputSchema: gives({ cardId: TEXT }),
    reads: false,
    run: async (input, { board }) => ({ cardId: await board.archiveCard(textOf(input, 'card')) }),
  },
]
