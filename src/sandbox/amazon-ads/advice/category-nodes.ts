import { hashText } from '../../market/random.ts'
import { languageOf } from '../../market/vocabulary.ts'

/** One category of a marketplace's tree. Branches have their own ids and cannot be targeted. */
export interface CategoryNode {
  id: string
  name: string
  /** Null for a root. */
  parentId: string | null
  isTargetable: boolean
  /** An estimate of how many products it has; always the same. */
  asinCount: number
}

/** How many products a leaf category has. */
export const asinsIn = (id: string): number => 800 + (hashText(id, 17) % 24_000)
/** A count as the marketplace reports it: a range around it. */
export const about = (count: number) => ({ min: Math.floor(count * 0.9), max: Math.ceil(count * 1.1) })

/** The categories of a marketplace, each parent before its children. */
export function categoryNodes(marketplaceId: string): CategoryNode[] {
  const nodes = new Map<string, CategoryNode>()
  for (const { id, name, path } of languageOf(marketplaceId).categories) {
    const asinCount = asinsIn(id)
    let parentId: string | null = null
    let branchPath = ''
    for (const branchName of path.split(' > ').slice(0, -1)) {
      branchPath += `${branchName} > `
      // By the whole path: two branches may have the same name.
      const branchId = String(hashText(branchPath, 5))
      const existing = nodes.get(branchId)
      nodes.set(branchId, {
        id: branchId,
        name: branchName,
        parentId,
        isTargetable: false,
        asinCount: (existing?.asinCount ?? 0) + asinCount,
      })
      parentId = branchId
    }
    nodes.set(id, { id, name, parentId, isTargetable: true, asinCount })
  }
  return [...nodes.values()]
}
