/** Where the guard's question lives; by itself, for the script that asks before the contract has come. */
export const currentSubscriptionPath = '/subscriptions/current'
