import type { z } from 'zod'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { type AnswerKind, forgetAnswers, keepAnswer, keptAnswer } from './sql.ts'

// What a seller confirmed at review is what shall be launched; the marketplace renews its own answers about daily.
const KEPT_MS = 24 * 3_600_000

/** An answer that is at most a day old, or a new one from `ask`, which is then kept. Throws what `ask` throws. */
export const kept = async <S extends z.ZodType>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  profile: Profile,
  kind: AnswerKind,
  asins: readonly string[],
  schema: S,
  ask: () => Promise<z.output<S>>,
): Promise<z.output<S>> => {
  const { merchantId, profileId } = profile
  const key = { merchantId, profileId, kind, subject: [...new Set(asins)].toSorted().join(',') }
  const since = new Date(clock.now().getTime() - KEPT_MS)
  const known = schema.safeParse(await db.tenant(merchantId, tx => keptAnswer(tx, key, since)))
  if (known.success) return known.data
  const answer = await ask()
  await db.tenant(merchantId, async tx => {
    await forgetAnswers(tx, merchantId, profileId, since)
    await keepAnswer(tx, key, answer, clock.now())
  })
  return answer
}
