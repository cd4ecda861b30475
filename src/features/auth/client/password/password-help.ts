/** What a new password must be, before anything is wrong with it. */
export const passwordHelp =
  '8 to 100 characters with a digit, a lowercase and an uppercase letter, and one of !@#$%^&+='
