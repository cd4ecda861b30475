import { plainText } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { isAbsent } from '../entities/read-fields.ts'
import { vendorType } from '../media-types.ts'
import { adviceFailure, ownAsins, readTexts } from './advice-subject.ts'
import { about, categoryReplies, categoryRequest } from './categories.ts'

/** Categories worth targeting; the answer's form follows the Accept header. */
const categoryAdvice: Call = {
  path: '/sp/targets/categories/recommendations',
  media: { takes: [categoryRequest], gives: categoryReplies },
  answer(caller, { asins }, { reply, accept }) {
    const own = ownAsins(caller, readTexts(asins, 'asins', 10_000))
    const version = Math.max(3, categoryReplies.indexOf(accept ?? '') + 3)
    const categories = caller.world.market().suggestCategories(caller.profile.profileId, own)
    void reply.type(categoryReplies[version - 3] ?? '')
    return {
      categories: categories.map(({ categoryId, name, path, asinCount }) =>
        version === 3
          ? { id: categoryId, name, parent: '-1', canBeTargeted: true, path }
          : {
              id: categoryId,
              name,
              parentCategoryId: '-1',
              categoryPath: path,
              asinCounts: about(asinCount),
              ...(version === 5 && { translatedName: name, translatedCategoryPath: path }),
            },
      ),
    }
  },
}

const byAsin = vendorType('spproductrecommendationresponse.asins', 'v3')
const byTheme = vendorType('spproductrecommendationresponse.themes', 'v3')

const cursorOf = (offset: number): string => Buffer.from(`at:${offset}`).toString('base64url')
function offsetOf(cursor: unknown): number {
  if (isAbsent(cursor) || cursor === '') return 0
  const match = /^at:(\d+)$/.exec(Buffer.from(plainText(cursor), 'base64url').toString())
  if (!match) throw adviceFailure(400, 'The cursor is invalid')
  return Number(match[1])
}

/** Products worth targeting, each with its themes, or each theme with its products, as the Accept header says. */
const productAdvice: Call = {
  path: '/sp/targets/products/recommendations',
  media: { takes: [vendorType('spproductrecommendation', 'v3')], gives: [byAsin, byTheme] },
  answer(caller, { adAsins, count = 50, cursor }, { reply, accept }) {
    const own = ownAsins(caller, readTexts(adAsins, 'adAsins', 50))
    const size = Number(count)
    if (!Number.isInteger(size) || size < 1) throw adviceFailure(400, 'count must be a positive whole number')
    const ideas = caller.world.market().suggestProducts(caller.profile.profileId, own, 200)
    void reply.type(accept ?? byAsin)
    const pairs = ideas.flatMap(({ theme, asins }) => asins.map(asin => ({ theme, asin })))
    const all: object[] =
      accept === byTheme
        ? ideas.map(({ theme, description, asins }) => ({ theme, description, recommendedAsins: asins }))
        : [...Map.groupBy(pairs, pair => pair.asin)].map(([recommendedAsin, ofAsin]) => ({
            recommendedAsin,
            themes: ofAsin.map(pair => pair.theme),
          }))
    const at = offsetOf(cursor)
    return {
      recommendations: all.slice(at, at + size),
      nextCursor: at + size < all.length ? cursorOf(at + size) : null,
      previousCursor: at > 0 ? cursorOf(Math.max(0, at - size)) : null,
    }
  },
}

export const targetAdvice: readonly Call[] = [categoryAdvice, productAdvice]
