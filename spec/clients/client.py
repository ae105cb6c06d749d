"""A client of openapi-python-client: what it lists, finds, creates, changes and is refused."""

import json
import sys

from desk import AuthenticatedClient
from desk.api.broadcasts import create_broadcast, list_broadcasts, update_broadcast
from desk.api.calendars import create_calendar, list_calendars, update_calendar
from desk.api.organizations import create_organization, list_organizations, update_organization
from desk.api.people import create_person, list_people, update_person
from desk.api.requests import create_note_of_request, create_request, list_requests, update_request
from desk.models import (
    BroadcastCreate,
    BroadcastMessageType,
    BroadcastUpdate,
    CalendarCreate,
    CalendarHourAttributes,
    CalendarHourWeekday,
    CalendarUpdate,
    NoteCreate,
    OrganizationCreate,
    OrganizationUpdate,
    PersonCreate,
    PersonUpdate,
    RequestCategory,
    RequestCreate,
    RequestUpdate,
    ValidationError,
)

base_url, token, title = sys.argv[1:]
again = f"{title} again"
desk = AuthenticatedClient(base_url=base_url, token=token)


def refusal(answer):
    """The first error of a response, which must be one."""
    assert isinstance(answer, ValidationError), answer
    return answer.errors[0][1]


def steps(field, create, new, listing, filters, update, changed):
    """Works with records of a type, by the operations on it; the field is the one with its title."""
    made = create.sync(client=desk, body=new)
    listed = listing.sync(client=desk, per_page=1)
    found = listing.sync(client=desk, **filters(made))
    after = update.sync(made.id, client=desk, body=changed)
    refused = update.sync(made.id, client=desk, body=type(changed).from_dict({field: ""}))
    return made, [len(listed), len(found), getattr(made, field), getattr(after, field), refusal(refused)]


def by_name(made):
    return {"name": made.name}


request, requests = steps(
    "subject",
    create_request,
    RequestCreate(subject=title, category=RequestCategory.OTHER),
    list_requests,
    lambda made: {"subject": made.subject, "status": "!completed"},
    update_request,
    RequestUpdate(subject=again),
)
note = create_note_of_request.sync(request.id, client=desk, body=NoteCreate(text="A note"))
_, people = steps(
    "name",
    create_person,
    PersonCreate(name=title, primary_email=f"{title}@widgets.example"),
    list_people,
    lambda made: {"primary_email": made.primary_email},
    update_person,
    PersonUpdate(name=again),
)
_, organizations = steps(
    "name",
    create_organization,
    OrganizationCreate(name=title),
    list_organizations,
    by_name,
    update_organization,
    OrganizationUpdate(name=again),
)
hours = CalendarHourAttributes(weekday=CalendarHourWeekday.MON, time_from="09:00", time_until="17:00")
_, calendars = steps(
    "name",
    create_calendar,
    CalendarCreate(name=title, calendar_hours_attributes=[hours]),
    list_calendars,
    by_name,
    update_calendar,
    CalendarUpdate(name=again),
)
_, broadcasts = steps(
    "message",
    create_broadcast,
    BroadcastCreate(message=title, message_type=BroadcastMessageType.OUTAGE),
    list_broadcasts,
    lambda made: {"id": str(made.id), "message_type": "outage"},
    update_broadcast,
    BroadcastUpdate(message=again),
)
print(json.dumps([[*requests, note.text], people, organizations, calendars, broadcasts]))
