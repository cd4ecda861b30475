import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { approveProposal, rejectProposal } from './answer-proposal.ts'
import { getLogRow } from './log.ts'

export { runAccountGroups } from './run-group.job.ts'
export { optimizerAnswered, optimizerAsked } from './signals.ts'

/**
 * Answers a proposal from its notification, an approval with another number where one is given. Repeated it changes nothing more and answers the same. Throws like the answers of the
 * log.
 */
export async function answerFromNotification(
  ctx: Ctx,
  { detail, after }: { detail: string | null; after?: number },
  answer: 'APPROVE' | 'REJECT',
): Promise<{ message: string; changeGroup: string | null }> {
  const id = Number(detail)
  const done = {
    message:
      answer === 'REJECT'
        ? 'Rejected: nothing is changed.'
        : after === undefined
          ? 'Approved: it is on its way.'
          : 'Approved with your number: it is on its way.',
    changeGroup: null,
  }
  try {
    await (answer === 'APPROVE' ? approveProposal(ctx, id, { after }) : rejectProposal(ctx, id, { reason: null }))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error
    const { state, settled } = await getLogRow(ctx, id)
    const isSame = settled !== null && (state === 'REJECTED') === (answer === 'REJECT') && state !== 'EXPIRED'
    if (!isSame) throw error
  }
  return done
}
