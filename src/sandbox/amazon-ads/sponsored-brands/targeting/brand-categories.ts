import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../../core/world.ts'
import { about, type CategoryNode, categoryNodes } from '../../advice/category-nodes.ts'
import { readCaller } from '../../ads-caller.ts'
import { familyFailure } from '../../failure-shape.ts'
import { requireAccept } from '../../media-types.ts'

const mediaType = 'application/vnd.sbtargeting.v4+json'
const countries = new Set(['US', 'CA', 'MX', 'UK', 'DE', 'FR', 'ES', 'IT', 'IN', 'JP'])
const supplySources = ['AMAZON', 'STREAMING_VIDEO']
const locales =
  'ar_AE de_DE en_AE en_AU en_CA en_GB en_IN en_SG en_US es_ES es_MX fr_CA fr_FR hi_IN it_IT ja_JP ko_KR nl_NL pl_PL pt_BR sv_SE ta_IN th_TH tr_TR vi_VN zh_CN'.split(
    ' ',
  )
// The specification allows 5000; so few here that clients see a next page.
const PAGE = 20

type Query = Partial<
  Record<'supplySource' | 'locale' | 'includeOnlyRootCategories' | 'parentCategoryRefinementId' | 'nextToken', string>
>

const tokenOf = (start: number): string => Buffer.from(`from:${start}`).toString('base64url')

/** Where a page begins. Null for an invalid token. */
function startOf(token: string | undefined): number | null {
  if (!token) return 0
  const start = /^from:(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString())?.[1]
  return start === undefined ? null : Number(start)
}

/** The categories of a request. Throws 400 when a parameter is missing or not specified. */
function categoriesOf(request: FastifyRequest, nodes: readonly CategoryNode[]): CategoryNode[] {
  const { supplySource = '', locale, includeOnlyRootCategories, parentCategoryRefinementId } = request.query as Query
  const refuse = (text: string) => familyFailure(request, 400, text)
  if (!supplySources.includes(supplySource)) throw refuse(`supplySource must be one of ${supplySources.join(', ')}`)
  if (locale && !locales.includes(locale)) throw refuse(`The locale ${locale} is not supported`)
  if (includeOnlyRootCategories && !['true', 'false'].includes(includeOnlyRootCategories))
    throw refuse('includeOnlyRootCategories must be true or false')
  if (parentCategoryRefinementId && !nodes.some(({ id }) => id === parentCategoryRefinementId))
    throw refuse(`There is no category ${parentCategoryRefinementId}`)
  return nodes.filter(
    ({ parentId }) =>
      (includeOnlyRootCategories !== 'true' || parentId === null) &&
      (!parentCategoryRefinementId || parentId === parentCategoryRefinementId),
  )
}

/** `GET /sb/targets/categories`: the categories as a list that builds a tree: all, the roots, or the children of one. */
export function registerBrandCategories(app: FastifyInstance, world: World, region: RegionKey): void {
  app.get('/sb/targets/categories', (request, reply) => {
    const { profile } = readCaller(request, world, region)
    requireAccept(request, [mediaType], 406)
    if (!countries.has(profile.countryCode))
      throw familyFailure(request, 400, `Categories are not available in ${profile.countryCode}`)
    const categories = categoriesOf(request, categoryNodes(profile.marketplaceId))
    const { locale, nextToken } = request.query as Query
    const start = startOf(nextToken)
    if (start === null) throw familyFailure(request, 400, 'nextToken is invalid')
    const end = start + PAGE
    void reply.type(mediaType)
    return JSON.stringify({
      categoryTree: categories.slice(start, end).map(({ id, name, parentId, isTargetable, asinCount }) => ({
        categoryRefinementId: id,
        name,
        // Categories are named in the marketplace's own language alone.
        ...(locale && { translatedName: name }),
        ...(parentId !== null && { parentCategoryRefinementId: parentId }),
        isTargetable,
        asinCountRange: about(asinCount),
      })),
      ...(end < categories.length && { nextToken: tokenOf(end) }),
    })
  })
}
