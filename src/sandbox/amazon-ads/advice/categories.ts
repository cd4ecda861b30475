import { hashText } from '../../market/random.ts'
import type { CategoryWords } from '../../market/vocabulary.ts'
import { languageOf } from '../../market/vocabulary.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { familyFailure } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { requireAccept, vendorType } from '../media-types.ts'
import { adviceFailure } from './advice-subject.ts'

/** One category of a marketplace's tree. Branches have their own ids and cannot be targeted. */
interface CategoryNode {
  id: string
  name: string
  /** Null for a root. */
  parentId: string | null
  isTargetable: boolean
  /** An estimate of how many products it has; always the same. */
  asinCount: number
}

const asinsIn = (id: string): number => 800 + (hashText(id, 17) % 24_000)
/** A count as the marketplace reports it: a range around it. */
export const about = (count: number) => ({ min: Math.floor(count * 0.9), max: Math.ceil(count * 1.1) })

/** The categories of a marketplace, each parent before its children. */
function categoryNodes(marketplaceId: string): CategoryNode[] {
  const nodes = new Map<string, CategoryNode>()
  for (const { id, name, path } of languageOf(marketplaceId).categories) {
    const asinCount = asinsIn(id)
    let parentId: string | null = null
    let branchPath = ''
    for (const branchName of path.split(' > ').slice(0, -1)) {
      branchPath += `${branchName} > `
      // By the whole path: two branches may have the same name.
      const branchId = String(hashText(branchPath, 5))
      const sum = (nodes.get(branchId)?.asinCount ?? 0) + asinCount
      nodes.set(branchId, { id: branchId, name: branchName, parentId, isTargetable: false, asinCount: sum })
      parentId = branchId
    }
    nodes.set(id, { id, name, parentId, isTargetable: true, asinCount })
  }
  return [...nodes.values()]
}

export const categoryRequest = vendorType('spproducttargeting', 'v3')
/** In the order of versions, the first is 3. */
export const categoryReplies = ['v3', 'v4', 'v5'].map(version => vendorType('spproducttargetingresponse', version))

/** The categories below a parent (null: the roots), each with its own. */
function treeOf(nodes: readonly CategoryNode[], counted: boolean, under: string | null = null): object[] {
  return nodes
    .filter(({ parentId }) => parentId === under)
    .map(({ id, name, isTargetable, asinCount }) => ({
      id: Number(id),
      na: name,
      ch: isTargetable ? [] : treeOf(nodes, counted, id),
      ta: isTargetable,
      ...(counted && isTargetable && { asinCountRange: about(asinCount) }),
    }))
}

function categoryOf({ profile }: AdsCaller, id: unknown): CategoryWords {
  const found = languageOf(profile.marketplaceId).categories.find(category => category.id === id)
  if (!found) throw adviceFailure(422, 'The category was not found')
  return found
}

/** Brands on sale in a category: those of the sellers here, and the rivals'. */
function brandsIn({ world, profile }: AdsCaller, category: CategoryWords): { id: string; name: string }[] {
  const names = new Set(languageOf(profile.marketplaceId).rivals)
  for (const product of world.store.products.values())
    if (product.marketplaceId === profile.marketplaceId && product.categoryId === category.id) names.add(product.brand)
  return [...names].map(name => ({ id: String(hashText(name, 31)), name }))
}

const brandType = vendorType('sbtargeting', 'v4')
const countries = new Set(['US', 'CA', 'MX', 'UK', 'DE', 'FR', 'ES', 'IT', 'IN', 'JP'])
const supplySources = ['AMAZON', 'STREAMING_VIDEO']
const locales =
  'ar_AE de_DE en_AE en_AU en_CA en_GB en_IN en_SG en_US es_ES es_MX fr_CA fr_FR hi_IN it_IT ja_JP ko_KR nl_NL pl_PL pt_BR sv_SE ta_IN th_TH tr_TR vi_VN zh_CN'.split(
    ' ',
  )
// The specification allows 5000; so few here that clients see a next page.
const PAGE = 20

/** The categories as a list that builds a tree: all, the roots, or the children of one. */
const brandCategories: Call['answer'] = ({ profile }, _body, { request, query }) => {
  const { supplySource = '', locale, includeOnlyRootCategories, parentCategoryRefinementId, nextToken } = query
  const refuse = (text: string) => familyFailure(request, 400, text)
  requireAccept(request, [brandType], 406)
  if (!countries.has(profile.countryCode)) throw refuse(`Categories are not available in ${profile.countryCode}`)
  if (!supplySources.includes(supplySource)) throw refuse(`supplySource must be one of ${supplySources.join(', ')}`)
  if (locale && !locales.includes(locale)) throw refuse(`The locale ${locale} is not supported`)
  if (includeOnlyRootCategories && !['true', 'false'].includes(includeOnlyRootCategories))
    throw refuse('includeOnlyRootCategories must be true or false')
  const nodes = categoryNodes(profile.marketplaceId)
  if (parentCategoryRefinementId && !nodes.some(({ id }) => id === parentCategoryRefinementId))
    throw refuse(`There is no category ${parentCategoryRefinementId}`)
  const found = nodes.filter(
    ({ parentId }) =>
      (includeOnlyRootCategories !== 'true' || parentId === null) &&
      (!parentCategoryRefinementId || parentId === parentCategoryRefinementId),
  )
  const token = nextToken ? Buffer.from(nextToken, 'base64url').toString() : 'from:0'
  if (!/^from:\d{1,9}$/.test(token)) throw refuse('nextToken is invalid')
  const start = Number(token.slice('from:'.length))
  const end = start + PAGE
  return {
    categoryTree: found.slice(start, end).map(({ id, name, parentId, isTargetable, asinCount }) => ({
      categoryRefinementId: id,
      name,
      // Categories are named in the marketplace's own language alone.
      ...(locale && { translatedName: name }),
      ...(parentId !== null && { parentCategoryRefinementId: parentId }),
      isTargetable,
      asinCountRange: about(asinCount),
    })),
    ...(end < found.length && { nextToken: Buffer.from(`from:${end}`).toString('base64url') }),
  }
}

/** The tree of categories (as text inside JSON, as the real one does), refinements of one, and how many products it has. */
export const categoryCalls: readonly Call[] = [
  { method: 'GET', path: '/sb/targets/categories', type: brandType, answer: brandCategories },
  {
    method: 'GET',
    path: '/sp/targets/categories',
    answer({ profile }, _body, { request, reply }) {
      const version = Math.max(0, categoryReplies.indexOf(requireAccept(request, categoryReplies, 415) ?? ''))
      void reply.type(categoryReplies[version] ?? '')
      return { categoryTree: JSON.stringify(treeOf(categoryNodes(profile.marketplaceId), version > 0)) }
    },
  },
  {
    method: 'GET',
    path: '/sp/targets/category/:categoryId/refinements',
    type: categoryReplies[0] ?? '',
    answer(caller, _body, { request, params }) {
      const category = categoryOf(caller, params.categoryId)
      requireAccept(request, categoryReplies, 415)
      return { brands: brandsIn(caller, category), ageRanges: [], genres: [] }
    },
  },
  {
    path: '/sp/targets/products/count',
    media: { takes: [categoryRequest], gives: [...categoryReplies, categoryRequest], plain: 'always' },
    type: categoryReplies[0] ?? '',
    answer(caller, { category, brands, priceRange, ratingRange, isPrimeShipping }) {
      const all = asinsIn(categoryOf(caller, category).id)
      const brandShare = Array.isArray(brands) && brands.length > 0 ? Math.min(1, brands.length * 0.06) : 1
      const narrowings = [priceRange, ratingRange, isPrimeShipping].filter(Boolean).length
      return { asinCounts: about(Math.round(all * brandShare * 0.6 ** narrowings)) }
    },
  },
]
