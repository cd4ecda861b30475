/** Names the advertising account of a draft; each account has one draft. */
export function draftScope(merchantId: number | undefined, marketplaceId: number): string {
  return `${merchantId ?? 0}.${marketplaceId}`
}

export const shopOfScope = (scope: string): string => scope.replace('.', '/')

/** The prefix of the storage keys of one user's drafts and unanswered launches. */
export const draftPrefixOf = (user: string | undefined): string => `tideline.draft.${user ?? ''}.`
