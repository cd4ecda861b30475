import type { SharedLink } from '#shared/product-link.ts'

/** Why a text says nothing of a product; undefined when it does. */
export function linkProblem(link: SharedLink, text: string): string | undefined {
  switch (link.found) {
    case 'PRODUCT':
      return undefined
    case 'SHORT_LINK':
      return `Short links of ${link.host} do not say which product they lead to. Open the link, then share the product page or copy its address.`
    case 'OTHER_PAGE':
      return `This page of ${link.host} is not a product page of a marketplace that Tideline supports.`
    case 'NOTHING':
      return text.trim() === '' ? 'Enter a link or an ASIN' : 'There is no link to a product page in this text.'
  }
}
