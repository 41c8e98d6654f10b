import { type Config, checkSmtp, codePageOf, failureReason, shownUrl } from '@countersign/server'
import { type Finding, failed, notConfigured, ok, warning } from './check.ts'

/** Checks that the mail server takes connections, without sending a mail, and names the page to which mails link. */
export const examineMail = async (config: Config): Promise<Finding> => {
  const { smtp } = config
  if (smtp === undefined) return notConfigured('nobody gets a code for a forgotten password by mail')
  try {
    await checkSmtp({ url: smtp.url })
  } catch (error) {
    return failed(`${shownUrl(smtp.url)} takes no mail: ${failureReason(error)}`)
  }
  const { origins = [`http://localhost:${config.port}`] } = config.relyingParty
  const page = codePageOf({ ...config, origins })
  const sent = `${shownUrl(smtp.url)} takes mails from ${smtp.from}`
  return page === undefined
    ? warning(`${sent}; they have a code and no link: set COUNTERSIGN_SMTP_CODE_PAGE or COUNTERSIGN_APPROVER`)
    : ok(`${sent}; they link to ${page}`)
}
