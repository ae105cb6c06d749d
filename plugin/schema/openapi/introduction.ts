/** What readers of the document must know of all operations, once. */

/** The introduction, in Markdown. */
export const INTRODUCTION = [
  '**Sign-in.** Every call needs credentials: a token as `Authorization: Bearer`, as the user name of Basic authentication or ' +
    'as the parameter `api_token`, or e-mail address and password as Basic authentication. `X-SVC-Account` names the account ' +
    'to act in. What a caller may not see does not exist for him: 404. A page sends the id of its person as `X-SVC-Person`: ' +
    'anybody else gets 401.',
  '**Values.** Times have an offset (`2026-11-21T09:00:00+01:00`). References are read as objects and sent as ids (`team_id`). ' +
    'Null means empty, or not for this caller to see. A PATCH keeps the fields that are not sent.',
  '**Answers to saves.** POST and PATCH return the whole record. Only callers who may not see it get its id alone.',
  '**Arrays.** Where POST creates a record, it takes an array of 1 to 500 bodies, too, and so does PATCH at the path of a ' +
    'collection (`PATCH /requests`), where each body has the `id` of its record, or `source` and `sourceID`. The answer is 200 ' +
    'with an array of `RecordResult` in the order of the bodies: each of them is saved or refused on its own. An ' +
    '`Idempotency-Key` counts for both. Each 20 bodies count as a call.',
  '**Errors.** They are JSON with `message`, in English, and for 422 with `errors`, pairs of a field and a sentence. The ' +
    'operations list 422, 429 and 503; all others are their `default`. With `Accept: application/problem+json` they are ' +
    '`ProblemDetails` (RFC 9457), which have a code and a JSON pointer for each entry of `errors`.',
  '**Pages.** Lists have 20 records a page, at most 100 (`per_page`). `Link` has the URL of the next page; on the last one it is ' +
    'absent. `X-Pagination-Total-Entries` counts all.',
  '**Filters.** Lists are filtered by `field=value`. `field=!value` excludes, `field=` finds records without a value, commas ' +
    'separate several values, and `<`, `<=`, `>`, `>=` in front compare. In a text, a backslash escapes a comma, and a leading ' +
    '`<`, `>` or `!`: `subject=\\!important`. Lists below a record take the filters of the list that their description names.',
  '**Predefined lists.** They are the values of the parameter `state`. Each has a path, too: `GET /requests/open` is ' +
    '`GET /requests?state=open`, and `GET /people/4/teams/enabled` is `GET /people/4/teams?state=enabled`.',
  '**Short forms** have no entry of their own: predefined lists; PUT, which is the same as PATCH; `GET /requests/4/notes/7`, which is `GET /notes/7` without the ' +
    'request, and so for audit lines; `GET /requests/new?attachment_upload_token=true`, with which older clients ask for ' +
    '`storage_upload` before they create a record with files.',
  '**Limits.** `X-RateLimit-*` say how many calls are left. 429 and 503 say in `Retry-After` for how many seconds to wait.',
  '**Retries.** Repeat a GET whenever it failed. Give a POST an `Idempotency-Key`: with the same key it is done once, and a ' +
    'repeat gets the same answer. For PATCH and DELETE send the `ETag` of what you read as `If-Match`: 412 says that somebody ' +
    'else was faster.',
  '**Paths** may end in a slash or in `.json`.',
  '**Scripts.** Every GET that answers with JSON also takes the parameter `callback`, the name of a function: the answer is a ' +
    'script then, which calls that function with `{ meta, data }` (JSON-P). It has the status 200 in any case, `meta.status` is ' +
    'that of the call, and credentials must be in `api_token`.',
].join('\n\n')
