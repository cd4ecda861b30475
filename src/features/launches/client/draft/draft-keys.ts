/** Names the advertising account that a draft is for: there is one draft for each. */
export function draftScope(merchantId: number | undefined, marketplaceId: number): string {
  return `${merchantId ?? 0}.${marketplaceId}`
}

/** The same account as calls name it. */
export const shopOfScope = (scope: string): string => scope.replace('.', '/')

/** Begins the keys under which this browser keeps a user's drafts and launches asked for. Nobody else's begin so. */
export const draftPrefixOf = (user: string | undefined): string => `tideline.draft.${user ?? ''}.`
