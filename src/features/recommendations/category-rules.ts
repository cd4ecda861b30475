// The marketplace writes paths in two ways: `Sports > Accessories`, and `/Sports/Accessories`.
const levels = (path: string): string[] =>
  path
    .split(path.startsWith('/') ? '/' : '>')
    .map(level => level.trim().toLowerCase())
    .filter(level => level !== '')

// What a department sells together shares its first two levels: cutlery with kitchen utensils, no yoga mats with bottles.
const SHARED_LEVELS = 2

interface NamedCategory {
  name: string
  path: string | null
}

/**
 * A check of whether a recommended category is related to products of some categories (by name): its path shares the first two
 * levels with one of theirs. Always true where that cannot be decided: the category has no path, or a product's own category is
 * not known or not among the recommended ones, which alone have paths.
 */
export const relatedCategories = (
  recommended: readonly NamedCategory[],
  productCategories: readonly (string | null)[],
): ((category: NamedCategory) => boolean) => {
  const own = productCategories.map(name => {
    const category = recommended.find(c => name !== null && c.name.toLowerCase() === name.toLowerCase())
    return category?.path ? levels(category.path).slice(0, SHARED_LEVELS).join('>') : null
  })
  if (own.includes(null)) return () => true
  return ({ path }) => path === null || own.includes(levels(path).slice(0, SHARED_LEVELS).join('>'))
}
