/** Where the real answers are known to differ from their own specification, and who says so. */
export const knownDifferences: [RegExp, string][] = [
  [/ 401:/, 'the gateway before all families refuses tokens in its own words: reference/concepts/errors'],
  [/\.requestId is not in the specification$/, 'the gateway adds it: reference/concepts/errors'],
  [/\.bidOptimizationStrategy is not in the specification$/, 'every answer of the official Postman collection has it'],
  [/ 415: no such status$/, 'a wrong media type is refused everywhere: reference/api-overview'],
  [
    /suggestedBid\.rangeMedian is not in/,
    'the official Postman collection has it where the specification says suggested',
  ],
  [
    /(searchTermImpression(Rank|Share)|translation) must be (number|string)$/,
    'null in the official Postman collection',
  ],
  [/\.targetingExpression\.value must be string$/, 'null in the official Postman collection'],
  [/\.(next|previous)Cursor must be string$/, 'null in the official Postman collection'],
  [/\.budgetRuleRecommendation must be object$/, 'null in the official Postman collection'],
  [/campaigns\/budget\/usage 200: no such status$/, 'the official Postman collection answers 200'],
  [/ (\/v2\/profiles|\/sb\/\w+)(\/\{\w+\})? (400|404|422): no such status$/, 'no refusal at all is specified there'],
  [
    / \/sb\/targets 422: no such status$/,
    'same wording as the other array answers of the family: official Postman collection',
  ],
  [
    /GET \/sb\/targets\/categories 406: no such status$/,
    'an Accept that fits nothing is refused everywhere: reference/api-overview',
  ],
]
