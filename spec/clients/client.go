// A client of oapi-codegen: what it lists, finds, creates, changes and is refused.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"desk/api"
)

var (
	desk *api.ClientWithResponses
	none = context.Background()

	title, again string
)

// The value, if the call had the expected response.
func must[T any](value *T, body []byte) *T {
	if value == nil {
		panic(string(body))
	}
	return value
}

// The response, if there was one.
func got[R any](response R, err error) R {
	if err != nil {
		panic(err)
	}
	return response
}

// The text of the first error.
func refusal(invalid *api.Invalid, body []byte) any {
	return must(invalid, body).Errors[0][1]
}

func to[T any](value T) *T { return &value }

func requests() []any {
	made := got(desk.CreateRequestWithResponse(none, nil, api.RequestCreate{
		Subject: to(title), Category: to(api.RequestCategoryOther),
	}))
	one := must(made.JSON201, made.Body)
	listed := got(desk.ListRequestsWithResponse(none, &api.ListRequestsParams{PerPage: to(1)}))
	found := got(desk.ListRequestsWithResponse(none, &api.ListRequestsParams{Subject: &one.Subject, Status: to("!completed")}))
	changed := got(desk.UpdateRequestWithResponse(none, one.Id, nil, api.RequestUpdate{Subject: to(again)}))
	note := got(desk.CreateNoteOfRequestWithResponse(none, one.Id, nil, api.NoteCreate{Text: "A note"}))
	refused := got(desk.UpdateRequestWithResponse(none, one.Id, nil, api.RequestUpdate{Subject: to("")}))
	return []any{
		len(*must(listed.JSON200, listed.Body)), len(*must(found.JSON200, found.Body)), one.Subject,
		must(changed.JSON200, changed.Body).Subject, refusal(refused.JSON422, refused.Body), must(note.JSON201, note.Body).Text,
	}
}

func people() []any {
	made := got(desk.CreatePersonWithResponse(none, nil, api.PersonCreate{Name: title, PrimaryEmail: title + "@widgets.example"}))
	one := must(made.JSON201, made.Body)
	listed := got(desk.ListPeopleWithResponse(none, &api.ListPeopleParams{PerPage: to(1)}))
	found := got(desk.ListPeopleWithResponse(none, &api.ListPeopleParams{PrimaryEmail: to(title + "@widgets.example")}))
	changed := got(desk.UpdatePersonWithResponse(none, one.Id, nil, api.PersonUpdate{Name: to(again)}))
	refused := got(desk.UpdatePersonWithResponse(none, one.Id, nil, api.PersonUpdate{Name: to("")}))
	return []any{
		len(*must(listed.JSON200, listed.Body)), len(*must(found.JSON200, found.Body)), one.Name,
		must(changed.JSON200, changed.Body).Name, refusal(refused.JSON422, refused.Body),
	}
}

func organizations() []any {
	made := got(desk.CreateOrganizationWithResponse(none, nil, api.OrganizationCreate{Name: title}))
	one := must(made.JSON201, made.Body)
	listed := got(desk.ListOrganizationsWithResponse(none, &api.ListOrganizationsParams{PerPage: to(1)}))
	found := got(desk.ListOrganizationsWithResponse(none, &api.ListOrganizationsParams{Name: &one.Name}))
	changed := got(desk.UpdateOrganizationWithResponse(none, one.Id, nil, api.OrganizationUpdate{Name: to(again)}))
	refused := got(desk.UpdateOrganizationWithResponse(none, one.Id, nil, api.OrganizationUpdate{Name: to("")}))
	return []any{
		len(*must(listed.JSON200, listed.Body)), len(*must(found.JSON200, found.Body)), one.Name,
		must(changed.JSON200, changed.Body).Name, refusal(refused.JSON422, refused.Body),
	}
}

func calendars() []any {
	hours := []api.CalendarHourAttributes{{
		Weekday: to(api.Mon), TimeFrom: to("09:00"), TimeUntil: to("17:00"),
	}}
	made := got(desk.CreateCalendarWithResponse(none, nil, api.CalendarCreate{Name: title, CalendarHoursAttributes: &hours}))
	one := must(made.JSON201, made.Body)
	listed := got(desk.ListCalendarsWithResponse(none, &api.ListCalendarsParams{PerPage: to(1)}))
	found := got(desk.ListCalendarsWithResponse(none, &api.ListCalendarsParams{Name: &one.Name}))
	changed := got(desk.UpdateCalendarWithResponse(none, one.Id, nil, api.CalendarUpdate{Name: to(again)}))
	refused := got(desk.UpdateCalendarWithResponse(none, one.Id, nil, api.CalendarUpdate{Name: to("")}))
	return []any{
		len(*must(listed.JSON200, listed.Body)), len(*must(found.JSON200, found.Body)), one.Name,
		must(changed.JSON200, changed.Body).Name, refusal(refused.JSON422, refused.Body),
	}
}

func broadcasts() []any {
	made := got(desk.CreateBroadcastWithResponse(none, nil, api.BroadcastCreate{
		Message: title, MessageType: api.BroadcastMessageTypeOutage,
	}))
	one := must(made.JSON201, made.Body)
	id := fmt.Sprint(one.Id)
	listed := got(desk.ListBroadcastsWithResponse(none, &api.ListBroadcastsParams{PerPage: to(1)}))
	found := got(desk.ListBroadcastsWithResponse(none, &api.ListBroadcastsParams{Id: &id, MessageType: to("outage")}))
	changed := got(desk.UpdateBroadcastWithResponse(none, one.Id, nil, api.BroadcastUpdate{Message: to(again)}))
	refused := got(desk.UpdateBroadcastWithResponse(none, one.Id, nil, api.BroadcastUpdate{Message: to("")}))
	return []any{
		len(*must(listed.JSON200, listed.Body)), len(*must(found.JSON200, found.Body)), one.Message,
		must(changed.JSON200, changed.Body).Message, refusal(refused.JSON422, refused.Body),
	}
}

func main() {
	title, again = os.Args[3], os.Args[3]+" again"
	signIn := api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	})
	desk = got(api.NewClientWithResponses(os.Args[1], signIn))
	done := [][]any{requests(), people(), organizations(), calendars(), broadcasts()}
	fmt.Println(string(got(json.Marshal(done))))
}
