import type { z } from 'zod'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { type AnswerKind, deleteAnswers, saveAnswer, findAnswer } from './sql.ts'

// A launch must use what the seller confirmed at review; the marketplace renews its answers about once a day.
const MAX_AGE_MS = 24 * 3_600_000

/** A cached answer of at most a day, or a new one from `ask`, which is then cached. Throws what `ask` throws. */
export const cachedAnswer = async <S extends z.ZodType>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  profile: Profile,
  kind: AnswerKind,
  asins: readonly string[],
  schema: S,
  ask: () => Promise<z.output<S>>,
): Promise<z.output<S>> => {
  const { merchantId, profileId } = profile
  const key = { merchantId, profileId, kind, subject: [...new Set(asins)].toSorted().join(',') }
  const since = new Date(clock.now().getTime() - MAX_AGE_MS)
  const cached = schema.safeParse(await db.tenant(merchantId, tx => findAnswer(tx, key, since)))
  if (cached.success) return cached.data
  const answer = await ask()
  await db.tenant(merchantId, async tx => {
    await deleteAnswers(tx, merchantId, profileId, since)
    await saveAnswer(tx, key, answer, clock.now())
  })
  return answer
}
