/**
 * The header with which a client says for whom it means a call: the id of the managed account, or `own`. The server rejects a call
 * that would act for somebody else by now. A caller who sends none acts for the user that the session manages.
 */
export const managingHeader = 'x-managing'
/** What the header says outside managing. */
export const ownContext = 'own'
