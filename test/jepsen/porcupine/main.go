// Judges histories of `npm run jepsen` with Porcupine (https://github.com/anishathalye/porcupine), which nobody here wrote:
//
//	cd test/jepsen/porcupine && go mod tidy && go run . ../../../history.jsonl
//
// It states the model of ../mandate-register.ts once more: a mandate is a register of cents. An order sets money aside in one
// step and spends it, or gives it back, in another; what was paid may come back in a third. What nobody answered may have happened at any later time, or never.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// A line of the history: a mandate with its ceiling, a call, or a fault.
type line struct {
	Kind, Mandate, Intent, Outcome string
	Limit, Amount                  int
	Start, End                     float64
	Seen                           *seen
}

type seen struct {
	Consumed, Reserved int
	IsRevoked          bool
}

// Where an intent stands.
const (
	reserved = 'r'
	paid     = 'p'
	refunded = 'b'
)

type state struct {
	limit, consumed, held int
	revoked               bool
	// Every intent that has money set aside or spent, sorted.
	intents string
}

func (s state) of(intent string) byte {
	for at := 0; at+37 <= len(s.intents); at += 37 {
		if s.intents[at:at+36] == intent {
			return s.intents[at+36]
		}
	}
	return 0
}

func (s state) with(intent string, stand byte) state {
	var kept []string
	for at := 0; at+37 <= len(s.intents); at += 37 {
		if s.intents[at:at+36] != intent {
			kept = append(kept, s.intents[at:at+37])
		}
	}
	if stand != 0 {
		kept = append(kept, intent+string(stand))
	}
	sort.Strings(kept)
	s.intents = ""
	for _, one := range kept {
		s.intents += one
	}
	return s
}

// A step. One that is not certain may also have changed nothing.
type step struct {
	name, intent string
	amount       int
	certain      bool
	seen         seen
}

// The state after a step, and whether it can be taken.
func (s state) after(in step) (state, bool) {
	rest := s.limit - s.consumed - s.held
	switch in.name {
	case "reserve":
		next := s.with(in.intent, reserved)
		next.held += in.amount
		return next, !s.revoked && s.of(in.intent) == 0 && rest >= in.amount
	case "release":
		next := s.with(in.intent, 0)
		next.held -= in.amount
		return next, s.of(in.intent) == reserved
	case "consume":
		next := s.with(in.intent, paid)
		next.held -= in.amount
		next.consumed += in.amount
		return next, s.of(in.intent) == reserved
	case "refund":
		next := s.with(in.intent, refunded)
		next.consumed -= in.amount
		return next, s.of(in.intent) == paid
	case "revoke":
		next := s
		next.revoked = true
		return next, true
	case "settled":
		return s, s.revoked && s.held == 0
	case "over the limit":
		return s, rest < in.amount
	case "revoked":
		return s, s.revoked
	default: // read
		return s, s.consumed == in.seen.Consumed && s.held == in.seen.Reserved && s.revoked == in.seen.IsRevoked
	}
}

func modelOf(limit int) porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{state{limit: limit}} },
		Step: func(from, input, _ interface{}) []interface{} {
			in := input.(step)
			var all []interface{}
			if next, fits := from.(state).after(in); fits {
				all = append(all, next)
			}
			if !in.certain {
				all = append(all, from)
			}
			return all
		},
		Equal:             func(one, other interface{}) bool { return one == other },
		DescribeOperation: func(input, _ interface{}) string { return fmt.Sprintf("%+v", input) },
	}
	return model.ToModel()
}

const never = int64(1) << 62

func microseconds(ms float64) int64 { return int64(ms * 1000) }

func operationsOf(calls []line) []porcupine.Operation {
	var all []porcupine.Operation
	add := func(in step, start float64, end int64) {
		all = append(all, porcupine.Operation{ClientId: len(all), Input: in, Call: microseconds(start), Return: end})
	}
	orders, cancellations := map[string][]line{}, map[string][]line{}
	var revocations []line
	for _, one := range calls {
		switch {
		case one.Kind == "order":
			orders[one.Intent] = append(orders[one.Intent], one)
		case one.Kind == "cancel":
			cancellations[one.Intent] = append(cancellations[one.Intent], one)
		case one.Kind == "revoke":
			revocations = append(revocations, one)
		case one.Kind == "read" && one.Seen != nil:
			add(step{name: "read", certain: true, seen: *one.Seen}, one.Start, microseconds(one.End))
		}
	}
	for intent, attempts := range orders {
		first, last := attempts[0], attempts[len(attempts)-1]
		of := func(name string, certain bool) step {
			return step{name: name, intent: intent, amount: first.Amount, certain: certain}
		}
		for _, one := range attempts {
			if one.Outcome == "unknown" || one.Outcome == "revoked" || one.Outcome == "refused" {
				add(of("reserve", false), one.Start, never)
				add(of("release", false), one.Start, never)
			}
		}
		end := microseconds(last.End)
		switch last.Outcome {
		case "paid":
			add(of("reserve", true), first.Start, end)
			add(of("consume", true), first.Start, end)
		case "declined":
			add(of("reserve", true), first.Start, end)
			add(of("release", true), first.Start, end)
		case "over the limit", "revoked":
			add(of(last.Outcome, true), last.Start, end)
		case "unknown", "none":
			add(of("consume", false), first.Start, never)
		}
	}
	for intent, attempts := range cancellations {
		first, last := attempts[0], attempts[len(attempts)-1]
		refund := step{name: "refund", intent: intent, amount: first.Amount, certain: last.Outcome == "refunded"}
		end := never
		if refund.certain {
			end = microseconds(last.End)
		}
		if last.Outcome != "refused" {
			add(refund, first.Start, end)
		}
	}
	first := never
	for _, one := range revocations {
		if start := microseconds(one.Start); start < first {
			first = start
		}
	}
	for _, one := range revocations {
		if one.Outcome == "done" {
			add(step{name: "revoke", certain: true}, float64(first)/1000, microseconds(one.End))
			add(step{name: "settled", certain: true}, one.Start, microseconds(one.End))
		} else {
			add(step{name: "revoke"}, one.Start, never)
		}
	}
	return all
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	calls := map[string][]line{}
	limits := map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one line
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		if one.Limit > 0 {
			limits[one.Mandate] = one.Limit
		} else if one.Kind != "" {
			calls[one.Mandate] = append(calls[one.Mandate], one)
		}
	}
	count := map[porcupine.CheckResult]int{}
	for mandate, limit := range limits {
		result := porcupine.CheckOperationsTimeout(modelOf(limit), operationsOf(calls[mandate]), 20*time.Second)
		count[result]++
		if result == porcupine.Illegal {
			fmt.Println("FINDING no order explains mandate", mandate)
		}
	}
	fmt.Println(len(limits), "histories,", count[porcupine.Unknown], "undecided,", count[porcupine.Illegal], "findings")
	if count[porcupine.Illegal] > 0 {
		os.Exit(1)
	}
}
