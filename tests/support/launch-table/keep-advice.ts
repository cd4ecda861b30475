import { sql } from 'kysely'
import type { LaunchScene } from '../launch-scene.ts'
import { knownAdvice } from './known-advice.ts'

/** Puts the table's recommendations where the marketplace's last answers for these products are kept. */
export async function keepAdvice(scene: LaunchScene, asins: readonly string[]): Promise<void> {
  const subject = asins.toSorted().join(',')
  const { keywords, auto, categories, products } = knownAdvice
  const answers = {
    KEYWORDS: keywords,
    AUTO: auto,
    CATEGORIES: categories.map(c => ({ ...c, path: null })),
    PRODUCTS: [{ theme: 'SIMILAR', description: null, products }],
  }
  for (const [kind, answer] of Object.entries(answers))
    await sql`insert into recommendation_answer (merchant_id, profile_id, kind, subject, answer, fetched_at)
      values (${scene.merchantId}, ${scene.profileId}, ${kind}, ${subject}, ${JSON.stringify(answer)}::jsonb, now())`.execute(
      scene.services.db.system,
    )
}
